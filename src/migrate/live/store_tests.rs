use serde_json::json;

use super::super::fake::{Fake, Fault};
use super::*;
use crate::migrate::intent::{Direction, FORMAT, Limits, OnFailure, Party, SourceAfter, Strategy};
use crate::model::ServiceRef;

fn me(pid: u32) -> Runner {
    Runner { name: "ann".to_owned(), host: "box".to_owned(), pid }
}

fn store(client: &kube::Client, pid: u32) -> Store {
    Store::new(client.clone(), Duration::from_millis(400), me(pid))
}

fn intent(id: &str, source: &str, target: &str) -> Intent {
    let party = |service: &str| {
        let service: ServiceRef = service.parse().expect("a Service");
        let before = json!({"metadata": {"name": service.name}, "spec": {"ports": []}});
        Party { service, uid: "u".to_owned(), before, backed: true, local: false }
    };
    Intent {
        format: FORMAT.to_owned(),
        id: id.to_owned(),
        source: party(source),
        target: party(target),
        moves: Vec::new(),
        source_after: SourceAfter::Keeps,
        strategy: Strategy::Ordered,
        drain: None,
        direction: Direction::Forward,
        turn: 1,
        limits: Limits { timeout_ms: 1, max_dark_ms: 1, allow_unknown: 0, on_failure: OnFailure::Stop },
        period_ms: 500,
    }
}

fn turn(journal: &Journal, turn: u32) -> Intent {
    Intent { turn, ..journal.intent.clone() }
}

#[tokio::test]
async fn an_unfinished_migration_locks_its_port_and_its_services() {
    let (fake, client) = Fake::start();
    let wanted = intent("80", "shop/a", "shop/b");
    let mut first = store(&client, 1).create(&wanted).await.expect("a journal");
    assert_eq!((&first.intent, first.runner.as_ref()), (&wanted, Some(&me(1))));
    // The same port, and another port of one of the Services, from either namespace.
    for other in [wanted.clone(), intent("90", "shop/b", "shop/c"), intent("90", "shop/a", "web/c")] {
        let error = store(&client, 2).create(&other).await.expect_err("taken").to_string();
        assert_eq!(error, "migration 80 in namespace shop is not finished (run by ann@box (process 1))");
    }
    let journals = store(&client, 2).list(None).await.expect("a list").journals;
    assert_eq!(journals, [first.clone()], "the others left nothing");
    store(&client, 2).create(&intent("90", "web/x", "web/y")).await.expect("others are free");
    store(&client, 1).finish(&mut first, "done").await.expect("finished");
    assert_eq!((&first.runner, first.finished.as_deref()), (&None, Some("done")));
    // What it knows of the past stays until a new one may really begin in its place.
    let mut other = store(&client, 2).create(&intent("90", "shop/b", "shop/c")).await.expect("another port");
    assert!(matches!(store(&client, 3).create(&wanted).await, Err(StoreError::Taken(_))));
    let there = store(&client, 3).load("shop", "80").await.expect("a journal");
    assert_eq!(there, Journal { resource_version: there.resource_version.clone(), ..first });
    store(&client, 2).finish(&mut other, "done").await.expect("finished");
    fake.fail(Fault::Silence);
    let text = store(&client, 3).create(&wanted).await.expect_err("nobody knows").to_string();
    assert!(text.contains("failed to write the journal") && !text.contains("not finished"), "{text}");
    let again = store(&client, 3).create(&wanted).await.expect("a new one in its place");
    assert_eq!((again.finished, again.runner), (None, Some(me(3))));
}

#[tokio::test]
async fn who_was_taken_over_writes_nothing_more() {
    let (fake, client) = Fake::start();
    let (first, second) = (store(&client, 1), store(&client, 2));
    let mut old = first.create(&intent("80", "shop/a", "shop/b")).await.expect("a journal");
    let mut new = second.take(&old, old.intent.reversed()).await.expect("taken");
    assert_eq!((new.intent.turn, new.intent.direction, new.runner.clone()), (2, Direction::Back, Some(me(2))));
    let there = fake.object("/api/v1/namespaces/shop/configmaps/vipctl-80");
    let next = turn(&old, 2);
    assert!(matches!(first.save(&mut old, &next).await, Outcome::Conflict(_)));
    old.heartbeat = None;
    assert!(matches!(first.beat(&mut old).await, Err(LookError::LostLock(_))));
    assert!(matches!(first.leave(&mut old, "stopped").await, Err(StoreError::Taken(_))));
    assert!(matches!(first.take(&old, next).await, Err(StoreError::Taken(_))));
    assert_eq!(fake.object("/api/v1/namespaces/shop/configmaps/vipctl-80"), there);
    second.delete(&new).await.expect("deleted");
    new.heartbeat = None;
    assert!(matches!(second.check(&new).await, Err(LookError::LostLock(_))));
    assert!(matches!(second.beat(&mut new).await, Err(LookError::LostLock(_))), "gone is lost");
}

#[tokio::test]
async fn a_lost_answer_is_not_a_lost_lock() {
    let (fake, client) = Fake::start();
    let store = store(&client, 1);
    let mut journal = store.create(&intent("80", "shop/a", "shop/b")).await.expect("a journal");
    let next = turn(&journal, 2);
    fake.fail(Fault::AnswerLost);
    assert!(matches!(store.save(&mut journal, &next).await, Outcome::Unknown(_)));
    assert_eq!(store.save(&mut journal, &next).await, Outcome::Done, "the same again");
    fake.fail(Fault::AnswerLost);
    journal.heartbeat = None;
    assert!(matches!(store.beat(&mut journal).await, Err(LookError::Unreachable(_))));
    let next = turn(&journal, 3);
    assert_eq!(store.save(&mut journal, &next).await, Outcome::Done, "something new after a heartbeat that was done");
    fake.fail(Fault::Code(429));
    store.leave(&mut journal, "stopped").await.expect("a busy server is asked again");
    let there = store.load("shop", "80").await.expect("a journal");
    assert_eq!((there.runner, there.note.as_deref(), there.intent.turn), (None, Some("stopped"), 3));
}

#[tokio::test]
async fn what_cannot_be_read_is_listed_beside() {
    let (fake, client) = Fake::start();
    let store = store(&client, 1);
    store.create(&intent("80", "shop/a", "shop/b")).await.expect("a journal");
    let broken = json!({"metadata": {"name": "vipctl-x", "namespace": "shop"}, "data": {}});
    fake.put("/api/v1/namespaces/shop/configmaps/vipctl-x", broken);
    let listed = store.list(Some("shop")).await.expect("a list");
    assert_eq!(listed.journals.len(), 1);
    assert!(listed.unreadable[0].contains("shop/vipctl-x"), "{:?}", listed.unreadable);
    assert!(matches!(store.load("shop", "x").await, Err(StoreError::Unreadable(_))));
    assert!(matches!(store.load("shop", "y").await, Err(StoreError::Missing(_))));
}

#[tokio::test]
async fn a_process_that_ended_here_is_dead() {
    let (_fake, client) = Fake::start();
    let store = store(&client, 1);
    let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
    let runner = me(child.id());
    assert!(!store.is_dead_here(&runner));
    child.kill().expect("killed");
    child.wait().expect("waited for");
    assert_eq!(store.is_dead_here(&runner), cfg!(target_os = "linux"));
    assert!(!store.is_dead_here(&Runner { host: "elsewhere".to_owned(), ..runner }));
}

#[tokio::test]
async fn a_journal_whose_answer_was_lost_is_looked_up() {
    let (fake, client) = Fake::start();
    let first = store(&client, 1);
    fake.fail(Fault::AnswerLost);
    let made = first.create(&intent("80", "shop/a", "shop/b")).await.expect("it is there, and ours");
    assert_eq!(made, first.load("shop", "80").await.expect("a journal"));
    fake.fail(Fault::Silence);
    let text = first.create(&intent("443", "shop/c", "shop/d")).await.expect_err("nobody knows").to_string();
    assert!(text.contains("abandon 443 -n shop"), "{text}");
}
