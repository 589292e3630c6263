//! One binary for all tests that look at the crate from outside.

mod lab_suite;
mod scenarios;
