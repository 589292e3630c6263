//! The krew manifest, filled in as the release does it, keeps the rules of krew and of its index.

use serde_json::Value;

const TEMPLATE: &str = include_str!("../krew-manifest.yaml");

/// Fills the template as krew-release-bot does, with a checksum that only looks like one.
fn filled(template: &str, tag: &str) -> Value {
    let mut text = String::new();
    for line in template.lines() {
        let line = line.replace("{{ .TagName }}", tag);
        match line.trim().strip_prefix("{{addURIAndSha \"") {
            Some(call) => {
                let uri = call.split('"').next().expect("a quoted address");
                text.push_str(&format!("    uri: {uri}\n    sha256: {}\n", "0123456789abcdef".repeat(4)));
            }
            None => text.push_str(&format!("{line}\n")),
        }
    }
    assert!(!text.contains("{{"), "something was not filled in:\n{text}");
    serde_saphyr::from_str(&text).expect("yaml")
}

/// What is wrong with a manifest.
fn faults(manifest: &Value, tag: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |holds: bool, rule: &str| {
        if !holds {
            faults.push(rule.to_owned());
        }
    };
    let spec = &manifest["spec"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    check(manifest["apiVersion"] == "krew.googlecontainertools.github.com/v1alpha2", "apiVersion");
    check(manifest["kind"] == "Plugin", "kind");
    let name = text(&manifest["metadata"]["name"]);
    check(!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "name: lower-case kebab");
    check(!name.starts_with("kube"), "name: no kube prefix");
    check(spec["version"] == tag && is_version(tag), "version: semver with a leading v");
    check(text(&spec["homepage"]).starts_with("https://"), "homepage");
    let short = text(&spec["shortDescription"]);
    check((1..=50).contains(&short.chars().count()), "shortDescription: at most 50 characters");
    check(!short.contains('\n') && !short.ends_with('.'), "shortDescription: one line, no full stop");
    let description = text(&spec["description"]);
    check(description.lines().all(|line| line.chars().count() <= 80), "description: wrapped at 80");
    check(!description.is_empty() && !description.contains("kubectl "), "description: no usage examples");
    let platforms = spec["platforms"].as_array().cloned().unwrap_or_default();
    let mut systems = Vec::new();
    for platform in &platforms {
        let labels = platform["selector"]["matchLabels"].as_object().cloned().unwrap_or_default();
        check(labels.keys().all(|key| key == "os" || key == "arch") && labels.len() == 2, "selector: os and arch");
        let (os, arch) =
            (text(&platform["selector"]["matchLabels"]["os"]), text(&platform["selector"]["matchLabels"]["arch"]));
        let uri = text(&platform["uri"]);
        check(
            uri.ends_with(&format!("/{tag}/kubectl-vipctl_{tag}_{os}_{arch}.tar.gz")),
            "uri: of this tag and platform",
        );
        check(uri.starts_with("https://"), "uri: https");
        let sum = text(&platform["sha256"]);
        check(sum.len() == 64 && sum.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')), "sha256: 64 hex digits");
        check(text(&platform["bin"]).ends_with(".exe") == (os == "windows"), "bin: .exe on Windows only");
        check(platform.get("files").is_none(), "files: absent, so that LICENSE is extracted");
        systems.push(format!("{os}/{arch}"));
    }
    systems.sort();
    let wanted = ["darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64"];
    check(systems == wanted, "platforms: each of the five once");
    faults
}

fn is_version(tag: &str) -> bool {
    let numbers: Vec<_> = tag.strip_prefix('v').unwrap_or_default().split('.').collect();
    numbers.len() == 3 && numbers.iter().all(|n| n.parse::<u32>().is_ok_and(|value| value.to_string() == *n))
}

fn tag() -> String {
    format!("v{}", env!("CARGO_PKG_VERSION"))
}

#[test]
fn the_filled_manifest_keeps_every_rule() {
    assert_eq!(faults(&filled(TEMPLATE, &tag()), &tag()), Vec::<String>::new());
}

#[test]
fn the_rules_bite() {
    for (from, to, rule) in [
        ("name: vipctl", "name: kube-vipctl", "name: no kube prefix"),
        ("LoadBalancer VIPs are", "LoadBalancer VIPs and their ports are", "shortDescription: at most 50 characters"),
        ("arch: arm64", "arch: aarch64", "platforms: each of the five once"),
        ("bin: kubectl-vipctl.exe", "bin: kubectl-vipctl", "bin: .exe on Windows only"),
        ("_linux_arm64.tar.gz", "_linux_arm64.tar.xz", "uri: of this tag and platform"),
        ("    Explains from", "    kubectl vipctl explain: from", "description: no usage examples"),
    ] {
        let broken = TEMPLATE.replace(from, to);
        assert_ne!(broken, TEMPLATE, "{from}");
        let faults = faults(&filled(&broken, &tag()), &tag());
        assert!(faults.iter().any(|fault| fault == rule), "{rule}: {faults:?}");
    }
    assert!(faults(&filled(TEMPLATE, "0.1"), "0.1").contains(&"version: semver with a leading v".to_owned()));
}

#[test]
fn the_licence_is_there_to_be_packed() {
    assert!(include_str!("../LICENSE").contains("Apache License"));
}
