//! `kubectl vipctl`: explains why a Cilium LoadBalancer address or port is missing.
//!
//! ```text
//! flags → settings → Source (live | capture | demo) → Observation → Facts → rules → [Finding] → text | JSON | …
//! └── cli ──────┘    └── observe ───────────────┘     └ model ───┘  └── diagnose ───────────┘   └─ render ───┘
//! ```
//!
//! The middle is pure: `model`, `diagnose` and `render` know no clock, client, environment or async.
//! The program only reads: it writes nothing to a cluster, and to an agent it sends queries by index.

pub mod cli;
pub mod diagnose;
pub mod exit;
pub mod model;
pub mod observe;
pub mod render;
