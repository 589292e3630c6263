//! The exit codes of the program; each answer in JSON repeats its own as `exit`.

/// Healthy, or done.
pub const OK: u8 = 0;
/// A problem was found.
pub const PROBLEM: u8 = 1;
/// Wrong usage, a failure of the tool, or an object that is not there.
pub const ERROR: u8 = 2;
/// Nothing was found, but not everything that decides could be read.
pub const INCONCLUSIVE: u8 = 3;
/// A migration stopped safely: it can be resumed or rolled back.
pub const STOPPED: u8 = 4;
/// A precondition does not hold: nothing was written.
pub const REFUSED: u8 = 5;
/// Interrupted before anything was written.
pub const INTERRUPTED: u8 = 130;
