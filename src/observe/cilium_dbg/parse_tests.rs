use super::*;
use crate::model::{Asked, StatusKind};
use crate::observe::cilium_dbg::queries;

const STUCK: &str = include_str!("../../../tests/fixtures/raw/shell-1.20.2-stuck-claim.txt");
const UNKNOWN: &str = include_str!("../../../tests/fixtures/raw/shell-1.20.2-unknown-table.txt");

fn stuck_queries() -> Vec<Query> {
    let vips = vec!["192.0.2.10".parse().expect("v4")];
    queries(&Asked { services: vec![ServiceRef::new("shop", "b")], vips })
}

fn frontends_query() -> Vec<Query> {
    vec![Query::Vip("192.0.2.10".parse().expect("v4"))]
}

/// An answer to one query, as the shell prints it.
fn session(queries: &[Query], bodies: &[&str]) -> String {
    let mut text = " \\__/¯¯\\__/  Cilium 1.19.5 abc 2026\r\n\r\n".to_owned();
    for (n, (query, body)) in queries.iter().zip(bodies).enumerate() {
        text += &format!("nd1> {}\r\n{body}\r\nnd1> #{n}\r\n\r\n", query.command().expect("plain"));
    }
    text + "nd1> "
}

fn rows(json: &str) -> Result<Parsed, ReadError> {
    answer(&session(&frontends_query(), &[json]), &frontends_query())
}

#[test]
fn a_real_session_is_read_whole() {
    let mut parsed = answer(STUCK, &stuck_queries()).expect("complete");
    parsed.finish();
    let seen: Vec<String> =
        parsed.frontends.iter().map(|r| format!("{} {} {:?}", r.key, r.owner, r.status.kind)).collect();
    assert!(seen.contains(&"192.0.2.10:53/UDP shop/b Done".to_owned()), "{seen:?}");
    assert!(seen.contains(&"192.0.2.10:443/TCP shop/a Done".to_owned()), "{seen:?}");
    assert!(!seen.iter().any(|row| row.starts_with("192.0.2.10:80/")), "the stuck port has no row: {seen:?}");
    assert!(parsed.frontends.iter().any(|r| r.kind == "ClusterIP"), "rows by owner are there too");
    let dns = parsed.frontends.iter().find(|r| r.key.port == 53 && r.kind == "LoadBalancer").expect("53/UDP");
    assert_eq!(dns.status.id, 25, "the service id, not the status's");
    assert_eq!(dns.backends.len(), 2);
    assert!(dns.backends.iter().all(|b| b.active && b.node.starts_with("nd")));
    assert_eq!(parsed.services, [ServiceRef::new("shop", "b")]);
    let refusal = "frontend already owned by another service: 192.0.2.10:80/TCP is owned by shop/a";
    assert!(parsed.health.iter().any(|h| h.error == refusal && h.id.contains("k8s-reflector.job-reflect")));
    let l2 = parsed.l2.expect("the table is there");
    assert_eq!(l2.len(), 1);
    assert_eq!(l2[0].origins, [ServiceRef::new("shop", "a"), ServiceRef::new("shop", "b")]);
    assert_eq!(version_of(STUCK).as_deref(), Some("1.20.2"));
}

#[test]
fn cut_off_anywhere_is_never_an_answer() {
    let all = stuck_queries();
    let end = STUCK.rfind("> #5").expect("the last mark") + "> #5\r\n".len();
    for cut in (0..end).filter(|cut| STUCK.is_char_boundary(*cut)).step_by(7) {
        let error = answer(&STUCK[..cut], &all).expect_err("incomplete");
        assert!(matches!(error, ReadError::Truncated { .. } | ReadError::Refused(_)), "at {cut}: {error:?}");
    }
}

#[test]
fn an_unknown_table_is_told_apart_from_an_empty_one() {
    let asked = [Query::Accepted(ServiceRef::new("shop", "x")), Query::Vip("192.0.2.99".parse().expect("v4"))];
    let parsed = answer(UNKNOWN, &asked).expect("both are complete");
    assert!(parsed.services.is_empty() && parsed.frontends.is_empty());
    let missing = "<stdin>:0: db/prefix frontends: table \"frontends\" not found";
    assert_eq!(rows(missing).expect_err("no table"), ReadError::NoTable("frontends".into()));
    let text = rows("error: Get \"http:///v1\": connection refused").expect_err("an error").to_string();
    assert!(text.contains("connection refused"), "{text}");
}

#[test]
fn a_complaint_without_an_end_is_still_heard() {
    // Shells of 1.19 stop at an error and answer nothing more.
    let command = frontends_query()[0].command().expect("plain");
    let text = format!("nd1> {command}\r\n<stdin>:0: table \"frontends\" not found\r\n");
    assert_eq!(answer(&text, &frontends_query()).expect_err("no end"), ReadError::NoTable("frontends".into()));
}

#[test]
fn the_echo_of_a_long_command_is_broken_and_found() {
    let query = Query::Owned(ServiceRef::new("a-rather-long-namespace-name", "and-a-service-name-that-goes-on"));
    let command = query.command().expect("plain");
    let echo = format!("nd1> {command}");
    let (first, second) = echo.split_at(80);
    let text = format!("{first}\r\n{second}\r\n\r\nnd1> #0\r\n\r\nnd1> ");
    assert_eq!(answer(&text, &[query]).expect("complete"), Parsed::default());
}

#[test]
fn every_release_prints_addresses_and_names_in_its_own_way() {
    // Composed from the types of 1.17 and early 1.18: objects, numbers for states.
    let old = r#"{"Address":{"AddrCluster":"192.0.2.10","Protocol":"TCP","Port":80,"Scope":1},"Type":"LoadBalancer",
        "ServiceName":{"Namespace":"shop","Name":"a","Cluster":""},
        "Status":{"kind":"Pending","updated-at":"2026-02-01T10:00:00Z","id":12},
        "Backends":[{"Address":{"AddrCluster":"10.0.0.1","Protocol":"TCP","Port":8080,"Scope":0},"NodeName":"w1","State":0,"Unhealthy":true},
                    {"Address":{"AddrCluster":"10.0.0.2","Protocol":"TCP","Port":8080,"Scope":0},"State":1}],"ID":3}"#;
    let parsed = rows(old).expect("old shape");
    let row = &parsed.frontends[0];
    assert!(row.internal && row.owner == ServiceRef::new("shop", "a") && row.status.kind == StatusKind::Pending);
    assert!(row.backends.iter().all(|b| !b.active), "unhealthy and terminating ones take nothing new");
    let new = r#"{"Address":"192.0.2.10:80/TCP/i","Type":"LoadBalancer","ServiceName":"east/shop/a",
        "Status":{"kind":"Odd"},"Backends":null,"ID":0}"#;
    let row = &rows(new).expect("new shape").frontends[0];
    assert_eq!(row.owner.namespace, "east/shop", "a Service of another cluster");
    assert_eq!((row.status.kind, row.status.id, row.internal), (StatusKind::Other, 0, true));
}

#[test]
fn wildcards_and_neighbours_are_left_out() {
    let row = |address: &str| {
        format!(r#"{{"Address":"{address}","Type":"LoadBalancer","ServiceName":"shop/a","Status":{{"kind":"Done"}}}}"#)
    };
    let all =
        ["192.0.2.10:0/ANY", "192.0.2.10:0/TCP", "192.0.2.10@3:80/TCP", "192.0.2.100:80/TCP", "192.0.2.10:81/NONE"];
    let text: String = all.iter().map(|a| row(a) + "\n").collect();
    assert!(rows(&text).expect("none of them is ours").frontends.is_empty());
}

#[test]
fn what_is_not_understood_spoils_the_answer() {
    for odd in [
        r#"{"Address":17,"ServiceName":"shop/a","Status":{}}"#,
        r#"{"Address":"192.0.2.10:80/TCP","ServiceName":"shop/a"}"#,
        r#"{"Address":"192.0.2.10:80/TCP","ServiceName":"a","Status":{"kind":"Done"}}"#,
        r#"{"Address":"192.0.2.10:80/TCP","ServiceName":"shop/a","Status":{"kind":"Done"},"Backends":[{}]}"#,
        r#""panic marshalling JSON: oh""#,
        r#"{"Address":"192.0.2.10:80/TCP""#,
    ] {
        assert!(matches!(rows(odd), Err(ReadError::Unreadable(_))), "{odd}");
    }
}

#[test]
fn a_proxied_service_marks_its_rows() {
    let id = ServiceRef::new("shop", "cilium-gateway-g");
    let asked = [frontends_query().remove(0), Query::Accepted(id.clone())];
    let row = r#"{"Address":"192.0.2.10:80/TCP","Type":"LoadBalancer","ServiceName":"shop/cilium-gateway-g","Status":{"kind":"Done"}}"#;
    let table = "Name                    Flags\nshop/cilium-gateway-g   ProxyRedirects=10001\n";
    let mut parsed = answer(&session(&asked, &[row, table]), &asked).expect("complete");
    parsed.finish();
    assert!(parsed.frontends[0].redirected && parsed.services == [id]);
}

#[test]
fn a_dead_socket_is_named() {
    let text =
        "Dialing failed: dial unix /var/run/cilium/shell.sock: connect: no such file or directory. Retrying...\r\n";
    let said = dial_trouble(text).expect("a complaint");
    assert!(said.ends_with("no such file or directory"), "{said}");
    assert_eq!(dial_trouble(STUCK), None);
}
