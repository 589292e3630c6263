//! Completion: the files in the repository, and the answers that kubectl gets.

use std::path::{Path, PathBuf};

use crate::support::Home;

/// Set to write the files anew.
const UPDATE: &str = "UPDATE_COMPLETIONS";

const FILES: [(&str, &str); 5] = [
    ("bash", "kubectl-vipctl.bash"),
    ("zsh", "_kubectl-vipctl"),
    ("fish", "kubectl-vipctl.fish"),
    ("powershell", "kubectl-vipctl.ps1"),
    ("kubectl", "kubectl_complete-vipctl"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("completions")
}

fn answer(home: &Home, words: &[&str]) -> Vec<String> {
    let ran = home.run(&[&["__complete"], words].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    let mut lines: Vec<String> = ran.out.lines().map(str::to_owned).collect();
    assert_eq!(lines.pop().as_deref(), Some(":4"), "{words:?}: {}", ran.out);
    lines
}

/// The candidates without what they mean.
fn names(home: &Home, words: &[&str]) -> Vec<String> {
    let name = |line: String| line.split('\t').next().unwrap_or_default().to_owned();
    answer(home, words).into_iter().map(name).collect()
}

#[test]
fn the_files_are_what_the_program_prints() {
    let home = Home::new("scripts");
    for (shell, file) in FILES {
        let script = home.run(&["completion", shell]);
        assert!(script.code == 0 && script.out.contains("kubectl-vipctl"), "{shell}: {}", script.err);
        let path = folder().join(file);
        // The shim is compiled in, so it is the file that counts.
        if std::env::var_os(UPDATE).is_some() && shell != "kubectl" {
            std::fs::write(&path, &script.out).expect("a file");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == script.out, "{} is not current: run the tests with {UPDATE}=1", path.display());
    }
}

#[test]
fn commands_flags_and_values_are_completed() {
    let home = Home::new("complete");
    assert_eq!(answer(&home, &["ex"]), ["explain\tExplain Services, addresses and ports"]);
    assert!(names(&home, &[""]).contains(&"capture".to_owned()));
    assert!(names(&home, &[]).contains(&"capture".to_owned()));
    assert_eq!(names(&home, &["explain", "--names"]), ["--namespace"]);
    assert_eq!(names(&home, &["--conte"]), ["--context"], "before the command as well");
    assert_eq!(names(&home, &["-n", "shop", "cap"]), ["capture"]);
    assert_eq!(names(&home, &["explain", "-v", "svc/b", "--dem"]), ["--demo"], "-v takes no word");
    assert_eq!(names(&home, &["explain", "--demo", "st"]), ["stuck-claim", "stripped-vip"]);
    assert_eq!(names(&home, &["code", "VIP210"]).first().map(String::as_str), Some("VIP2101"));
    assert_eq!(names(&home, &["explain", "-o", ""]), ["text", "wide", "json", "yaml", "name"]);
    assert!(names(&home, &["explain", ""]).is_empty(), "flags only after a dash");
    assert!(names(&home, &["nonsense", ""]).iter().all(|name| !name.starts_with('-')));
}

#[test]
fn contexts_and_files_are_completed() {
    let home = Home::new("contexts2");
    home.kubeconfig(
        "contexts: [{name: lab, context: {cluster: c}}, {name: prod, context: {cluster: c}}]\n\
         clusters: [{name: c, cluster: {server: \"http://x\"}}]\nusers: [{name: u, user: {}}]\n",
    );
    assert_eq!(names(&home, &["explain", "--context", ""]), ["lab", "prod"]);
    assert_eq!(names(&home, &["--context", "p"]), ["prod"]);
    assert_eq!(names(&home, &["--user", ""]), ["u"]);
    std::fs::write(home.path.join("web.json"), "").expect("a file");
    assert_eq!(names(&home, &["explain", "--capture", "w"]), ["web.json"]);
    let ran = home.run(&["__complete", "explain", "--capture", ".k"]);
    assert_eq!(ran.out, ".kube/\n:6\n", "a folder goes on without a blank");
}

#[cfg(unix)]
#[test]
fn kubectl_can_run_the_shim() {
    let program = Path::new(env!("CARGO_BIN_EXE_kubectl-vipctl")).parent().expect("a folder");
    let path = format!("{}:/usr/bin:/bin", program.display());
    let shim = folder().join("kubectl_complete-vipctl");
    let output = std::process::Command::new(shim).arg("ex").env("PATH", path).output().expect("it is executable");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "explain\tExplain Services, addresses and ports\n:4\n");
}
