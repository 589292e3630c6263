//! One binary for all tests that look at the crate from outside: linking once is quicker.

mod cli;
mod exec;
mod krew;
mod lab_suite;
mod pages;
mod render;
mod scenarios;
mod support;
