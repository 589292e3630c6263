//! `kubectl vipctl`: explains why a Cilium LoadBalancer address or port is missing, and moves a port from
//! one Service to another without losing it.
//!
//! ```text
//! flags → settings → Source (live | capture | demo) → Observation → Facts → rules → [Finding] → text | JSON | …
//! └── cli ──────┘    └── observe ───────────────┘     └ model ───┘  └── diagnose ───────────┘   └─ render ───┘
//! ```
//!
//! `migrate` goes round: intent → World → decide → Effect → Cluster → World …, see there.
//!
//! The middle is pure: `model`, `diagnose`, `render` and the deciding half of `migrate` know no clock, client,
//! environment or async. Only `migrate` and `recover` write to a cluster, and they through one file
//! (`migrate/live/writer.rs`); agents are only ever sent queries by index.

pub mod cli;
pub mod diagnose;
pub mod exit;
pub mod migrate;
pub mod model;
pub mod observe;
pub mod render;
#[cfg(test)]
mod sim;
