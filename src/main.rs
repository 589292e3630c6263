//! The program: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(vipctl::cli::run(&std::env::args_os().collect::<Vec<_>>()))
}
