//! What people and programs get to read, as snapshots.

mod build;

use build::{at, explanation, finding, frontend, seen, service, sharer, split, stuck, stuck_claim, unread, withheld};
use insta::assert_snapshot;
use vipctl::diagnose::{Code, Explanation, Rung, Severity, Verdict};
use vipctl::model::SourceKind;
use vipctl::render::{self, Format, Style};

fn show(explanation: &Explanation, format: Format, style: &Style) -> String {
    let text = render::explanation(explanation, format, style);
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "ends with one newline");
    if !style.color {
        assert!(!text.contains('\u{1b}'), "no colour, no escape byte");
    }
    if format == Format::Text && !style.color {
        // Tables may be wider: a row is a line.
        let wrapped = text.lines().take_while(|line| !line.is_empty());
        for line in wrapped.filter(|line| line.chars().count() > style.width) {
            let whole = line.trim_start_matches("fix").trim_start_matches("next").trim_start();
            assert!(whole.starts_with("kubectl") || whole.split(' ').count() == 1, "could have been wrapped: {line}");
        }
    }
    assert!(text.lines().all(|line| line == line.trim_end()), "no trailing blanks");
    text
}

fn text(subjects: Vec<vipctl::diagnose::SubjectReport>) -> String {
    show(&explanation(subjects), Format::Text, &Style::default())
}

#[test]
fn stuck_claim_text() {
    assert_snapshot!(text(vec![stuck()]));
}

#[test]
fn stuck_claim_details() {
    let style = Style { details: true, ..Style::default() };
    assert_snapshot!(show(&explanation(vec![stuck()]), Format::Text, &style));
}

#[test]
fn stuck_claim_wide() {
    assert_snapshot!(show(&explanation(vec![stuck()]), Format::Wide, &Style::default()));
}

#[test]
fn colour_adds_nothing_but_colour() {
    let colored = show(&explanation(vec![stuck(), split()]), Format::Text, &Style { color: true, ..Style::default() });
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').expect("a whole escape sequence").1;
    }
    plain.push_str(rest);
    assert_eq!(plain, text(vec![stuck(), split()]));
    assert_snapshot!(colored.replace('\u{1b}', "\\e"));
}

#[test]
fn json_is_the_contract_and_yaml_says_the_same() {
    let explanation = explanation(vec![stuck(), withheld(), split()]);
    let json = show(&explanation, Format::Json, &Style::default());
    let yaml = show(&explanation, Format::Yaml, &Style::default());
    let from_json: serde_json::Value = serde_json::from_str(&json).expect("json");
    let from_yaml: serde_json::Value = serde_saphyr::from_str(&yaml).expect("yaml");
    assert_eq!(from_json, from_yaml);
    assert_snapshot!(json);
}

#[test]
fn name_is_kubectls() {
    assert_eq!(
        show(&explanation(vec![stuck(), split()]), Format::Name, &Style::default()),
        "service/b\n192.0.2.10:80/TCP\n"
    );
}

#[test]
fn healthy_is_one_line() {
    let both = vec![
        frontend("192.0.2.10:443/TCP", Verdict::Healthy, None, "ppp"),
        frontend("192.0.2.10:80/TCP", Verdict::Healthy, None, "ppp"),
    ];
    assert_eq!(
        text(vec![service("shop", "a", both)]),
        "svc/a (ns shop)  192.0.2.10  HEALTHY  2 frontends on 3 of 3 nodes  (9 checks)\n"
    );
}

#[test]
fn healthy_with_a_warning_and_a_silent_node() {
    let mut subject = service("shop", "a", vec![frontend("192.0.2.10:80/TCP", Verdict::Healthy, None, "pp?")]);
    let mut warning = finding(Code::NodeSilent, Rung::Programmed, None, "nd3 did not answer within 5 s");
    warning.severity = Severity::Warning;
    subject.findings.push(warning);
    subject.unknown.push("frontends of nd3: would change the verdict only for that node".into());
    assert_snapshot!(text(vec![subject]));
}

#[test]
fn several_ports_with_one_cause_are_one_block() {
    let missing = |key: &str| frontend(key, Verdict::Missing, Some(Rung::Claimed), "aaa");
    let keys = ["192.0.2.10:80/TCP", "192.0.2.10:443/TCP", "192.0.2.10:8443/TCP"];
    let mut subject = service("shop", "b", keys.iter().map(|key| missing(key)).collect());
    subject.findings = keys.iter().map(|key| stuck_claim(key)).collect();
    assert_snapshot!(text(vec![subject]));
}

#[test]
fn withheld_vip_text() {
    assert_snapshot!(text(vec![withheld()]));
}

#[test]
fn nothing_but_the_api_was_readable() {
    assert_snapshot!(text(vec![unread("b")]));
}

#[test]
fn split_port_text() {
    assert_snapshot!(text(vec![split()]));
}

#[test]
fn split_port_wide() {
    assert_snapshot!(show(&explanation(vec![split()]), Format::Wide, &Style::default()));
}

#[test]
fn a_served_port_that_another_service_claims_too() {
    let mut subject = split();
    subject.frontends = vec![frontend("192.0.2.10:80/TCP", Verdict::Healthy, None, "ppp")];
    subject.verdict = Verdict::Degraded;
    subject.findings[0].code = Code::RejectedClaim;
    subject.findings[0].message = "port 80/TCP on 192.0.2.10 is owned by svc/b (ns shop)".into();
    assert_snapshot!(text(vec![subject]));
}

#[test]
fn an_address_without_ports_is_not_cut_at_its_colons() {
    let mut subject = service("shop", "b", vec![frontend("2001:db8::10", Verdict::Missing, Some(Rung::Declared), "")]);
    subject.kind = "VIP";
    subject.namespace = None;
    subject.name = "2001:db8::10".into();
    assert_eq!(text(vec![subject]), "2001:db8::10  MISSING\n");
}

#[test]
fn vip_on_a_hundred_nodes() {
    let mut subject = service(
        "shop",
        "b",
        vec![
            frontend("192.0.2.10:80/TCP", Verdict::Healthy, None, &"p".repeat(100)),
            frontend("192.0.2.10:443/TCP", Verdict::Missing, Some(Rung::Programmed), &format!("{}na?", "p".repeat(97))),
        ],
    );
    subject.kind = "VIP";
    subject.namespace = None;
    subject.name = "192.0.2.10".into();
    subject.sharers.push(sharer("shop/b", &[80, 443, 8080, 8081, 8082, 8083], "status"));
    let mut cause =
        finding(Code::NotProgrammed, Rung::Programmed, Some("192.0.2.10:443/TCP"), "nd98 could not write it");
    let nodes: Vec<_> = (1..=97).map(|n| format!("nd{n}")).collect();
    cause.evidence.push(seen(&format!("nodes {} frontends", nodes.join(",")), "row Done, owner shop/b", ""));
    subject.findings.push(cause);
    assert_snapshot!(text(vec![subject]));
}

#[test]
fn ipv6_and_long_names_wrap_between_words_only() {
    let key = "[2001:db8:1234:5678:9abc:def0:1234:5678]:443/TCP";
    let name = "cilium-gateway-a-name-as-long-as-a-service-name-is-allowed-to-be";
    let mut subject = service(
        "a-namespace-of-some-length",
        name,
        vec![frontend(key, Verdict::WrongOwner, Some(Rung::Claimed), "oo")],
    );
    let message = format!("{key} is owned by svc/{name}-2 (ns another-namespace-of-some-length)");
    subject.findings.push(finding(Code::RejectedClaim, Rung::Claimed, Some(key), &message));
    assert_snapshot!(text(vec![subject]));
}

#[test]
fn no_nodes_no_findings_no_frontends() {
    let bare = service("shop", "b", vec![]);
    let alone = service("shop", "c", vec![frontend("192.0.2.10:80/TCP", Verdict::Missing, None, "")]);
    assert_snapshot!(text(vec![bare, alone]));
    assert_eq!(text(vec![]), "nothing to explain: no Service was selected\n");
}

#[test]
fn many_subjects_are_a_table_and_the_problems() {
    let mut subjects: Vec<_> = ["a", "c", "d"]
        .iter()
        .map(|name| service("shop", name, vec![frontend("192.0.2.11:80/TCP", Verdict::Healthy, None, "ppp")]))
        .collect();
    subjects.extend([unread("e"), unread("f"), stuck(), withheld()]);
    assert_snapshot!(text(subjects));
}

#[test]
fn a_capture_says_when_it_was_taken() {
    let mut old =
        explanation(vec![service("shop", "a", vec![frontend("192.0.2.10:80/TCP", Verdict::Healthy, None, "ppp")])]);
    old.source.kind = SourceKind::Demo;
    old.source.context = "stuck-claim".into();
    old.source.kubernetes = None;
    old.source.taken_at = at("09:41:00.123456");
    assert_snapshot!(show(&old, Format::Text, &Style::default()));
}

#[test]
fn escape_sequences_from_the_cluster_do_not_reach_the_terminal() {
    let mut subject = stuck();
    subject.findings[0].message = "the key is \u{1b}[2J\u{7}".into();
    subject.findings[0].next.push("kubectl \u{1b}]0;x".into());
    let text = text(vec![subject]);
    assert!(text.contains("the key is \\u{1b}[2J\\u{7}") && text.contains("kubectl \\u{1b}]0;x"), "{text}");
}

#[test]
fn secondary_findings_are_a_line_and_full_with_details() {
    let mut subject = stuck();
    let mut second =
        finding(Code::NotAnnounced, Rung::Announced, None, "no L2 policy and no BGP advertisement selects it");
    second.notes.push("Without one nobody outside learns of the address.".into());
    subject.findings.push(second);
    let short = text(vec![subject.clone()]);
    assert!(short.contains("also      no L2 policy") && !short.contains("learns of the address"), "{short}");
    let style = Style { details: true, ..Style::default() };
    let full = show(&explanation(vec![subject]), Format::Text, &style);
    assert!(full.contains("          Without one nobody outside learns of the address.\n"), "{full}");
}
