//! A fake API server on loopback, with exec over WebSocket in every way that it goes wrong.
//!
//! It decides nothing about Cilium: its agents echo the questions and answer with given rows. What
//! Cilium does is the lab's business; this is about connections, errors and deadlines.

mod exec;
mod server;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

pub use exec::row;
pub use server::{Server, World, service};

/// An own home for one run of the program, without anything of this machine's.
pub struct Home {
    pub path: PathBuf,
}

impl Home {
    /// An empty home; `name` must be the test's own.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("home-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a home");
        Self { path }
    }

    /// A home whose kubeconfig leads to the server.
    pub fn with(name: &str, server: &Server) -> Self {
        let home = Self::new(name);
        home.kubeconfig(&format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: lab\n\
             clusters: [{{name: c, cluster: {{server: \"{}\"}}}}]\n\
             users: [{{name: u, user: {{token: t}}}}]\n\
             contexts: [{{name: lab, context: {{cluster: c, user: u, namespace: shop}}}}, {{name: prod, context: {{cluster: c}}}}]\n",
            server.url
        ));
        home
    }

    pub fn kubeconfig(&self, text: &str) {
        std::fs::create_dir_all(self.path.join(".kube")).expect("a folder");
        std::fs::write(self.path.join(".kube/config"), text).expect("a kubeconfig");
    }

    /// Runs the program with nothing of the environment but this home.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &HashMap::new())
    }

    pub fn run_with(&self, args: &[&str], env: &HashMap<&str, String>) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-vipctl"));
        command.args(args).env_clear().env("HOME", &self.path).envs(env).current_dir(&self.path);
        Ran::of(command.output().expect("the program runs"))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What a run left.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it ended by itself"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The JSON on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}\n{}\n{}", self.out, self.err))
    }
}
