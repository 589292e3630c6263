//! `kubectl vipctl`: explains why a Cilium LoadBalancer address or port is missing.

pub mod cli;
pub mod diagnose;
pub mod exit;
pub mod model;
pub mod observe;
pub mod render;
