//! Moving ports between Services that share a VIP, so that no port is ever lost.
//!
//! ```text
//! Observation + request → Plan (Intent) → journal
//!      ┌────────────────────────────────────┘
//!      └→ World → decide(Intent, World) → Effect → Cluster → World → …   until End → Report
//! ```
//!
//! `intent`, `specs`, `world`, `decision`, `machine`, `drain`, `journal`, `plan` and `report` are pure; `executor` is
//! the loop, and `live` the only place that writes to a cluster.

pub mod cluster;
pub mod decision;
pub mod drain;
pub mod executor;
pub mod intent;
pub mod journal;
pub mod live;
pub mod machine;
pub mod plan;
pub mod recover;
pub mod report;
pub mod specs;
pub mod words;
pub mod world;
