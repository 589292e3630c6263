//! The page of every code, and what `kubectl vipctl code` makes of it.

use vipctl::diagnose::Code;
use vipctl::render::{Format, Style, codes};

const SECTIONS: [&str; 5] =
    ["What it means", "How it comes about", "How to see it yourself", "What to do", "Looks alike but is not"];

/// The commands that exist.
const COMMANDS: [&str; 8] = ["explain", "capture", "migrate", "recover", "wait", "code", "version", "completion"];

/// The verbs with which kubectl changes a cluster, as far as pages use them.
const WRITES: [&str; 7] = ["annotate", "apply", "delete", "label", "patch", "rollout", "scale"];

/// The lines under a heading.
fn section(code: Code, heading: &str) -> String {
    let start = format!("\n\n{heading}\n");
    let text = code.page().split_once(&start).unwrap_or_else(|| panic!("{code}: no section '{heading}'")).1;
    text.split_once("\n\n").map_or(text, |(section, _)| section).to_owned()
}

#[test]
fn every_page_begins_with_its_code_and_title() {
    for &code in Code::ALL {
        let head = code.page().split_once("\n\n").expect("a title").0;
        let head: Vec<_> = head.split_whitespace().collect();
        assert_eq!(head.join(" "), format!("{code} {}", code.title()));
    }
}

#[test]
fn every_page_has_every_section_in_order() {
    for &code in Code::ALL {
        let headings: Vec<_> = code.page().lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
        assert_eq!(headings[1..], SECTIONS, "{code}");
        for heading in SECTIONS {
            assert!(section(code, heading).len() > 40, "{code}: '{heading}' says nothing");
        }
    }
}

#[test]
fn pages_fit_a_terminal() {
    for &code in Code::ALL {
        let page = code.page();
        assert!((15..=40).contains(&page.lines().count()), "{code}: {} lines", page.lines().count());
        for line in page.lines() {
            assert!(line.chars().count() <= 80 && line == line.trim_end(), "{code}: {line}");
            assert!(!line.contains('\t'), "{code}: {line}");
        }
    }
}

#[test]
fn pages_name_only_commands_and_codes_that_exist() {
    for &code in Code::ALL {
        for after in code.page().split("kubectl vipctl ").skip(1) {
            let command = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            assert!(COMMANDS.contains(&command), "{code}: kubectl vipctl {command}");
        }
        for after in code.page().split("VIP").skip(1).filter(|after| after.starts_with(|c: char| c.is_ascii_digit())) {
            let other: String = after.chars().take_while(char::is_ascii_digit).collect();
            assert!(other.parse::<Code>().is_ok(), "{code}: names VIP{other}");
        }
    }
}

#[test]
fn what_changes_the_cluster_is_marked() {
    for &code in Code::ALL {
        for heading in SECTIONS {
            let text = section(code, heading);
            for verb in WRITES {
                let Some((before, _)) = text.split_once(&format!("kubectl {verb} ")) else { continue };
                let before = before.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(before.contains("(changes the cluster"), "{code}: '{verb}' is not marked in '{heading}'");
            }
            if let Some((before, _)) = text.split_once("kubectl vipctl recover ") {
                let before = before.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(before.contains("(changes the cluster"), "{code}: recover is not marked in '{heading}'");
            }
        }
    }
}

#[test]
fn the_list_has_every_code_once() {
    let list = codes::list(Format::Text, &Style::default());
    assert_eq!(list.lines().next(), Some("CODE      TITLE"));
    assert_eq!(list.lines().count(), Code::ALL.len() + 1);
    assert!(list.contains("VIP2102   stuck claim: no owner, and the claim is never tried again\n"), "{list}");
    let json: serde_json::Value = serde_json::from_str(&codes::list(Format::Json, &Style::default())).expect("json");
    assert_eq!(json["items"].as_array().map(Vec::len), Some(Code::ALL.len()));
    assert_eq!(codes::list(Format::Name, &Style::default()).lines().count(), Code::ALL.len());
}

#[test]
fn a_page_in_every_format() {
    let code = Code::StuckClaim;
    assert_eq!(codes::page(code, Format::Text), code.page());
    let json: serde_json::Value = serde_json::from_str(&codes::page(code, Format::Json)).expect("json");
    assert_eq!((&json["code"], &json["page"]), (&"VIP2102".into(), &code.page().into()));
    let yaml: serde_json::Value = serde_saphyr::from_str(&codes::page(code, Format::Yaml)).expect("yaml");
    assert_eq!(json, yaml);
}

#[test]
fn the_page_about_exec_ends_with_a_role_that_can_be_applied() {
    let yaml = codes::page(Code::NoExec, Format::Yaml);
    assert!(codes::page(Code::NoExec, Format::Text).ends_with(&yaml), "the page ends with the Role");
    let objects: Vec<serde_json::Value> = serde_saphyr::from_multiple(&yaml).expect("yaml documents");
    let kinds: Vec<_> = objects.iter().map(|object| object["kind"].as_str().expect("kind")).collect();
    assert_eq!(kinds, ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "ClusterRole"]);
    let exec = objects[2]["rules"].as_array().expect("rules").iter().find(|rule| rule["resources"][0] == "pods/exec");
    // Kubernetes 1.35 asks for create where older ones ask for get.
    assert_eq!(exec.expect("a rule for exec")["verbs"], serde_json::json!(["get", "create"]));
    let writes = ["update", "patch", "delete", "deletecollection", "*"];
    let rules = objects.iter().filter_map(|object| Some((&object["metadata"]["name"], object["rules"].as_array()?)));
    for (role, rule) in rules.flat_map(|(role, rules)| rules.iter().map(move |rule| (role, rule))) {
        let verbs = rule["verbs"].as_array().expect("verbs");
        let only_reads = verbs.iter().all(|verb| !writes.contains(&verb.as_str().expect("verb")));
        assert!(only_reads || role == "vipctl-migrate", "only reads: {rule}");
        assert!(!rule["resources"].to_string().contains("secrets"), "no Secrets: {rule}");
    }
}
