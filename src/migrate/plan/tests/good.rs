//! What a plan holds where nothing speaks against it.

use serde_json::{Value, json};

use crate::migrate::intent::{Direction, Drain, SourceAfter};
use crate::migrate::plan::testing::{a, b, of, request, setting};
use crate::migrate::plan::{Becomes, Change, CheckState, Plan, Ports, command, commits, stale};
use crate::render::{self, PlanFormat, Style};

fn text(plan: &Plan) -> String {
    render::plan(plan, PlanFormat::Text, &Style { details: true, ..Style::default() })
}

#[test]
fn a_plan_is_ready_to_become_the_journal() {
    let plan = setting().plan();
    let intent = plan.intent.as_ref().expect("an intent");
    assert_eq!(plan.exit, 0, "{:#?}", plan.checks);
    assert_eq!(plan.keys, intent.moves[0].keys);
    assert_eq!(plan.keys[0].to_string(), "192.0.2.10:80/TCP");
    assert_eq!(intent.id, "192-0-2-10-80-tcp");
    assert_eq!(intent.moves[0].from, setting().source["spec"]["ports"][0]);
    assert_eq!(intent.moves[0].to, intent.moves[0].from, "name and node port move along");
    assert_eq!((intent.direction, intent.turn, intent.drain), (Direction::Forward, 1, None));
    assert_eq!(intent.source_after, SourceAfter::Keeps);
    assert!(intent.source.backed && intent.target.backed && !intent.source.local);
    assert_eq!(intent.period_ms, 500);
    let again: Plan = serde_json::from_str(&serde_json::to_string(&plan).expect("JSON")).expect("a plan");
    assert_eq!(again, plan);
}

#[test]
fn the_period_is_the_agents_own() {
    let set = |text: &str| {
        let text = text.to_owned();
        let seen = of(a(), b(), |world| {
            world.edit(|seen| {
                if let crate::model::Read::Known { value, .. } = &mut seen.install.config {
                    value.insert("lb-reflector-wait-time".to_owned(), text);
                }
            })
        });
        seen.plan().expected_dark.per_node_ms
    };
    assert_eq!((set("250ms"), set("1s"), set("0s"), set("soon")), (250, 1000, 500, 500));
}

#[test]
fn names_and_changes_on_the_way() {
    let to = |it: &crate::migrate::plan::testing::Setting| -> Value {
        it.plan().intent.expect("an intent").moves[0].to.clone()
    };
    let twice = setting().with(|it| it.target["spec"]["ports"][0]["name"] = json!("p80"));
    assert_eq!(to(&twice)["name"], "p80-80");
    let nameless = setting().with(|it| it.source["spec"]["ports"][0]["name"] = Value::Null);
    assert_eq!(to(&nameless)["name"], "port-80");
    let changed = setting().with(|it| {
        let change = |to| Change { port: Some(80), to };
        it.request.changes = vec![
            change(Becomes::TargetPort("9090".to_owned())),
            change(Becomes::Name("web".to_owned())),
            change(Becomes::AppProtocol("kubernetes.io/h2c".to_owned())),
        ];
    });
    let to = to(&changed);
    assert_eq!(
        (&to["targetPort"], &to["name"], &to["appProtocol"]),
        (&json!(9090), &json!("web"), &json!("kubernetes.io/h2c"))
    );
}

#[test]
fn a_node_port_moves_only_where_it_is_free_by_then() {
    let to = |it: &crate::migrate::plan::testing::Setting| it.plan().intent.expect("an intent").moves[0].to.clone();
    let none = setting().with(|it| it.target["spec"]["allocateLoadBalancerNodePorts"] = json!(false));
    assert_eq!(to(&none)["nodePort"], Value::Null);
    let same = |it: &mut crate::migrate::plan::testing::Setting| {
        let number = it.source["spec"]["ports"][0]["nodePort"].clone();
        it.source["spec"]["ports"][1]["nodePort"] = number;
    };
    assert_eq!(to(&setting().with(same))["nodePort"], Value::Null, "443 still has it");
    let all = setting().with(same).with(|it| it.request.ports = Ports::All).after(SourceAfter::ClusterIp);
    assert_eq!(to(&all)["nodePort"], Value::Null, "443 has it until its turn comes");
    assert!(to(&all.handoff())["nodePort"].is_u64(), "both let go of it in one write");
}

#[test]
fn ordered_in_words() {
    insta::assert_snapshot!(text(&setting().plan()));
}

#[test]
fn handoff_in_words() {
    let all = setting().handoff().with(|it| it.request.ports = Ports::All).after(SourceAfter::Park(10_080));
    insta::assert_snapshot!(text(&all.plan()));
}

#[test]
fn a_refusal_in_words() {
    let refused = setting().with(|it| it.request.ports = request(&["80", "443"]).ports);
    insta::assert_snapshot!(text(&refused.plan()));
}

#[test]
fn commits_for_git() {
    let owned = setting().with(|it| it.target["metadata"]["labels"] = json!({"kustomize.toolkit.fluxcd.io/name": "x"}));
    insta::assert_snapshot!(commits::commits(&owned.plan()).expect("known what moves"));
}

#[test]
fn the_command_says_all_that_was_asked_for() {
    let mut request = request(&["80", "53/UDP"]);
    assert_eq!(command("run", &request, &[]), "kubectl vipctl migrate run svc/a svc/b -n shop --port 80 --port 53/UDP");
    request.target.namespace = "web".to_owned();
    request.ports = Ports::All;
    request.source_after = Some(SourceAfter::Park(8080));
    request.strategy = crate::migrate::intent::Strategy::Handoff;
    request.drain = Some(Drain { timeout_ms: 5000 });
    request.changes = vec![Change { port: Some(80), to: Becomes::TargetPort("http".to_owned()) }];
    request.override_owner = true;
    let flags = ["--context".to_owned(), "lab".to_owned()];
    assert_eq!(
        command("run", &request, &flags),
        "kubectl vipctl migrate run shop/a web/b --all-ports --source-after park=8080 --strategy handoff \
         --drain-timeout 5000ms --target-port 80=http --override-owner --context lab"
    );
}

#[test]
fn a_saved_plan_grows_stale() {
    let saved = setting().plan();
    assert_eq!(stale(&saved, &setting().plan()), Vec::<String>::new());
    let port = setting().with(|it| it.source["spec"]["ports"][1]["targetPort"] = json!(1)).plan();
    assert_eq!(stale(&saved, &port), ["spec.ports of svc/a (ns shop) was changed since"]);
    let key = setting().with(|it| it.target["metadata"]["annotations"]["lbipam.cilium.io/sharing-key"] = json!("x"));
    assert_eq!(stale(&saved, &key.plan()), ["metadata.annotations of svc/b (ns shop) was changed since"]);
    let status = setting().with(|it| it.target["status"] = json!({"conditions": []})).plan();
    assert_eq!(stale(&saved, &status), Vec::<String>::new(), "a status says nothing about the spec");
    let refused = setting().with(|it| it.request.ports = request(&["81"]).ports).plan();
    assert_eq!(stale(&saved, &refused), ["what would move cannot be told any more"]);
}

#[test]
fn what_refuses_stands_first() {
    let plan = setting().with(|it| it.denied = vec!["patch services in namespace shop"]).plan();
    assert_eq!(plan.checks[0].state, CheckState::Refused);
    assert!(plan.checks.is_sorted_by_key(|check| check.state));
}
