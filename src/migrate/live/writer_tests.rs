use std::time::Instant;

use super::super::fake::{Fake, Fault};
use super::*;

const PATH: &str = "/api/v1/namespaces/shop/services/b";
const DEADLINE: Duration = Duration::from_millis(400);

fn service() -> ServiceRef {
    ServiceRef::new("shop", "b")
}

fn start() -> (Fake, Writer, Value) {
    let (fake, client) = Fake::start();
    let object = json!({"metadata": {"name": "b", "namespace": "shop", "uid": "u1"},
                        "spec": {"type": "LoadBalancer", "ports": [{"port": 53, "protocol": "UDP"}]}});
    let object = fake.put(PATH, object);
    (fake, Writer::new(client, DEADLINE), object)
}

fn claim(object: &Value) -> Change {
    let version = &object["metadata"]["resourceVersion"];
    Change::Patch(json!({"metadata": {"uid": "u1", "resourceVersion": version, "annotations": {"gone": null}},
                         "spec": {"ports": [{"port": 53, "protocol": "UDP"}, {"port": 80}]}}))
}

fn delete(uid: &str, object: &Value) -> Change {
    let version = object["metadata"]["resourceVersion"].as_str().expect("a version");
    Change::Delete { uid: uid.to_owned(), resource_version: version.to_owned() }
}

#[tokio::test]
async fn a_write_is_done_once_and_only_on_what_was_read() {
    let (fake, writer, object) = start();
    assert_eq!(writer.change(&service(), &claim(&object)).await, Outcome::Done);
    let after = writer.get(&service()).await.expect("an answer").expect("a Service");
    assert_eq!(after["spec"]["ports"][1]["port"], 80);
    assert!(matches!(writer.change(&service(), &claim(&object)).await, Outcome::Conflict(_)), "an old version");
    assert!(matches!(writer.change(&service(), &delete("u2", &after)).await, Outcome::Conflict(_)), "another object");
    assert_eq!(fake.object(PATH), Some(after.clone()));
    assert_eq!(writer.change(&service(), &delete("u1", &after)).await, Outcome::Done);
    assert!(matches!(writer.change(&service(), &claim(&object)).await, Outcome::Conflict(_)), "it is gone");
    assert_eq!(writer.get(&service()).await, Ok(None));
}

#[tokio::test]
async fn an_answer_that_is_missing_is_no_answer() {
    for fault in [Fault::AnswerLost, Fault::Silence, Fault::Code(500), Fault::Code(504)] {
        let (fake, writer, object) = start();
        fake.fail(fault);
        let begin = Instant::now();
        let outcome = writer.change(&service(), &claim(&object)).await;
        assert!(matches!(outcome, Outcome::Unknown(_)), "{fault:?}: {outcome:?}");
        assert!(begin.elapsed() < 3 * DEADLINE, "{fault:?}");
        assert_eq!(fake.writes(), 1, "{fault:?} is not tried again");
    }
}

#[tokio::test]
async fn refusals_are_in_the_servers_words() {
    for code in [400, 403, 422] {
        let (fake, writer, object) = start();
        fake.fail(Fault::Code(code));
        let outcome = writer.change(&service(), &claim(&object)).await;
        assert_eq!(outcome, Outcome::Refused("words of the server".to_owned()), "{code}");
        assert_eq!(fake.object(PATH), Some(object));
    }
    let (fake, writer, object) = start();
    fake.fail(Fault::Code(429));
    let begin = Instant::now();
    assert!(matches!(writer.change(&service(), &claim(&object)).await, Outcome::Conflict(_)), "nothing was done");
    assert!(begin.elapsed() >= DEADLINE, "the server asked for patience");
}

#[tokio::test]
async fn what_is_stored_otherwise_is_said() {
    let (fake, writer, object) = start();
    fake.fail(Fault::Altered);
    let Outcome::Refused(text) = writer.change(&service(), &claim(&object)).await else { panic!("not done") };
    assert!(text.contains("another spec.ports"), "{text}");
    let change = claim(&fake.object(PATH).expect("a Service"));
    assert_eq!(writer.send(&service(), &change).await, Outcome::Done);
    fake.put(PATH, object);
    let Outcome::Conflict(text) = writer.read_back(&service(), &change).await else { panic!("it was changed") };
    assert!(text.contains("spec.ports was written, and then changed"), "{text}");
}

#[tokio::test]
async fn a_dry_run_writes_nothing() {
    let (fake, writer, object) = start();
    assert_eq!(writer.dry_run(&service(), &claim(&object)).await, Ok(()));
    assert_eq!(writer.dry_run(&service(), &delete("u1", &object)).await, Ok(()));
    assert_eq!(fake.object(PATH), Some(object.clone()));
    fake.fail(Fault::Code(422));
    assert_eq!(writer.dry_run(&service(), &claim(&object)).await, Err("words of the server".to_owned()));
}

#[tokio::test]
async fn slices_come_and_go() {
    let (_fake, writer, _) = start();
    let id = SliceId { namespace: "shop".to_owned(), name: "drain-0".to_owned() };
    let slice = |ip: &str| {
        json!({"metadata": {"name": "drain-0", "namespace": "shop"}, "addressType": "IPv4",
               "endpoints": [{"addresses": [ip]}], "ports": []})
    };
    assert_eq!(writer.create_slice(&id, &slice("10.0.0.1")).await, Outcome::Done);
    assert!(matches!(writer.create_slice(&id, &slice("10.0.0.1")).await, Outcome::Conflict(_)));
    assert_eq!(writer.update_slice(&id, &slice("10.0.0.2")).await, Outcome::Done);
    let there = writer.slices(&service()).await.expect("slices");
    assert_eq!(there[0].endpoints[0].addresses, ["10.0.0.2"]);
    assert_eq!(writer.delete_slice(&id).await, Outcome::Done);
    assert_eq!(writer.delete_slice(&id).await, Outcome::Done, "it is not there");
}
