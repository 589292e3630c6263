//! A small model of API server, LB-IPAM and agents, in which the migration machine is explored exhaustively.
//!
//! `world` is what there is, `program` what a run of the command sees and asks for, `acts` and `faults`
//! everything that may happen next, `properties` what must hold, `explore` the walk through all of it, `random`
//! the walks where all of it is too much, `plans` the machines that must fail. `runs` is the real loop over the
//! same model.

mod acts;
mod explore;
mod faults;
mod plans;
mod program;
mod properties;
mod random;
mod runs;
mod tests;
mod world;
