//! One test binary: linking once is quicker than linking each file.

mod cli;
mod completion;
mod exec;
mod krew;

mod lab_suite;
mod migrate_suite;
mod migration;
mod pages;
mod render;
mod scenarios;
mod support;
mod usage;
