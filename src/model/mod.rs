//! The plain data everything else works on: what the API and the agents were seen to hold.
//!
//! No clock, no client and no Kubernetes types live here; times come in as values.

mod agent;
mod announce;
mod duration;
mod ids;
mod node;
mod observation;
mod pool;
mod selector;
mod service;

pub use agent::{Agent, AgentAnswer, AgentBackend, FrontendRow, HealthRow, L2Row, MapEntry, RowStatus, StatusKind};
pub use announce::{Advertisement, BgpNode, BgpPeer, L2Policy, Lease};
pub use duration::duration;
pub use ids::{ParseIdError, PortKey, Proto, ServiceRef, in_names};
pub use node::Node;
pub use observation::{
    Asked, FORMAT, Install, Missing, MissingKind, Observation, Origin, Permission, Pod, Read, SourceKind, Subject,
};
pub use pool::{Block, Pool, PoolCondition};
pub use selector::{Requirement, Selector};
pub use service::{
    Condition, Endpoint, EndpointSlice, Ingress, Manager, Service, ServicePort, SlicePort, TrafficPolicy,
};
