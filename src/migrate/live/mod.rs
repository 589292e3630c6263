//! A real cluster as the machine sees it, and the only place that writes to one.

mod act;
mod agents;
mod call;
mod cluster;
mod connections;
#[cfg(test)]
pub(crate) mod fake;
mod ledger;
mod moment;
mod pods;
mod reading;
pub mod store;
pub mod writer;

pub use cluster::{LiveCluster, LiveSettings};
