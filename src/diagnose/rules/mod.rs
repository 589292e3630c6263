//! The rules. Each is one function from a case to findings; this file is the list.

mod allocation;
mod announcement;
mod backends;
mod claims;
mod clash;
mod declared;
mod frontends;
mod status;
mod stuck;
mod tool;
mod withheld;

use super::case::{Case, Sink};

pub use tool::{ABOUT_NODES, outside_support};

/// Every rule, in the order of the ladder.
pub const RULES: &[fn(&Case<'_>, &mut Sink)] = &[
    declared::being_deleted,
    declared::not_made_by_design,
    allocation::nobody_responsible,
    allocation::not_handled_yet,
    status::cleared,
    allocation::no_address,
    allocation::partly_allocated,
    allocation::shared_elsewhere,
    claims::split_owner,
    claims::rejected_claim,
    claims::left_over_rows,
    stuck::stuck_claim,
    frontends::row_missing,
    frontends::not_programmed,
    frontends::map_differs,
    frontends::agent_not_running,
    backends::no_backends,
    backends::local_without_backend,
    announcement::not_announced,
    announcement::lease_not_held,
    tool::no_exec,
    tool::node_silent,
    tool::api_unreadable,
    tool::version_outside_support,
];
