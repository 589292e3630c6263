//! The product against a real Cilium. Needs a lab that is up, named in `VIPCTL_LAB_NAME`;
//! `tests/all` starts one and runs these with `--ignored`.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::scenarios::{Scenario, all, check, root};

pub const BINARY: &str = env!("CARGO_BIN_EXE_kubectl-vipctl");

pub fn lab_name() -> String {
    std::env::var("VIPCTL_LAB_NAME").expect("VIPCTL_LAB_NAME names the lab to use")
}

/// Runs the lab's command and insists on success.
pub fn lab(args: &[&str]) -> String {
    let output = Command::new(root().join("tests/lab/lab")).args(args).output().expect("the lab's command");
    assert!(output.status.success(), "lab {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Runs this program in the lab as a user.
pub fn vipctl(user: &str, args: &[&str]) -> Output {
    let mut command = Command::new(root().join("tests/lab/lab"));
    command.args(["run", &lab_name(), "--as", user, "--", BINARY]).args(args).output().expect("the lab's command")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|err| {
        panic!("{err}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

pub fn explain(user: &str, args: &[&str]) -> Value {
    let output = vipctl(user, &[&["explain", "-o", "json"], args].concat());
    let value = json(&output);
    assert_eq!(value["exit"], output.status.code().expect("an exit code"), "one number for both");
    value
}

pub fn enter(scenario: &Scenario) {
    lab(&["reset", &lab_name()]);
    let script = root().join("tests/lab/scenarios").join(format!("{}.sh", scenario.name));
    let output = Command::new(&script).arg(lab_name()).output().expect("a scenario");
    assert!(output.status.success(), "{}: {}", scenario.name, String::from_utf8_lossy(&output.stderr));
}

pub fn scenario(name: &str) -> Scenario {
    all().into_iter().find(|scenario| scenario.name == name).expect("a scenario")
}

#[test]
#[ignore = "needs a lab"]
fn every_scenario_is_explained_live_and_from_its_capture() {
    for scenario in all() {
        enter(&scenario);
        let user = scenario.get("as").unwrap_or("admin");
        let args: Vec<&str> = scenario.get("explain").expect("arguments").split_whitespace().collect();
        let file = std::env::temp_dir().join(format!("vipctl-{}-{}.json", std::process::id(), scenario.name));
        let path = file.to_str().expect("a path");
        let mut live = explain(user, &[args.as_slice(), &["--save", path]].concat());
        let mut replayed = explain(user, &["--capture", path]);
        std::fs::remove_file(&file).expect("remove the capture");
        check(&scenario, &live);
        for source in [&mut live["source"], &mut replayed["source"]] {
            (source["kind"], source["context"]) = (Value::Null, Value::Null);
        }
        assert_eq!(live, replayed, "{}", scenario.name);
    }
}

/// Expects the stuck claim to be found on two nodes and the third to be unknown, within the time.
fn stuck_but_one_unknown(what: &str, limit: Duration) {
    let started = Instant::now();
    let found = explain("admin", &["svc/b", "-n", "shop", "--node-timeout", "3s"]);
    assert!(started.elapsed() < limit, "{what}: took {:?}", started.elapsed());
    let subject = &found["subjects"][0];
    let frontends = subject["frontends"].as_array().expect("frontends");
    let frontend = frontends.iter().find(|f| f["address"] == "192.0.2.10:80/TCP").expect("the port");
    assert_eq!(frontend["nodes"]["unknown"], 1, "{what}: {frontend:#}");
    assert_eq!(frontend["nodes"]["absent"], 2, "{what}");
    let codes: Vec<&Value> =
        subject["findings"].as_array().expect("findings").iter().map(|finding| &finding["code"]).collect();
    assert!(codes.contains(&&Value::from("VIP2102")), "{what}: {codes:?}");
    assert_eq!(found["exit"], 1, "{what}");
}

#[test]
#[ignore = "needs a lab"]
fn a_node_in_trouble_is_unknown_and_nothing_else() {
    enter(&scenario("stuck-claim"));
    let name = lab_name();
    let node = |args: &[&str]| lab(&[&["node", &name, "nd2"], args].concat());
    node(&["freeze"]);
    stuck_but_one_unknown("frozen", Duration::from_secs(6));
    node(&["thaw"]);
    for bytes in ["1", "200", "700"] {
        node(&["cut-exec", bytes]);
        stuck_but_one_unknown(&format!("cut after {bytes} bytes"), Duration::from_secs(6));
    }
    node(&["mend-exec"]);
    node(&["slow-exec", "8000"]);
    stuck_but_one_unknown("slow", Duration::from_secs(6));
    node(&["mend-exec"]);
    node(&["kill"]);
    stuck_but_one_unknown("killed", Duration::from_secs(6));
    node(&["start"]);
}

#[test]
#[ignore = "needs a lab"]
fn the_way_out_of_a_stuck_claim_works() {
    enter(&scenario("stuck-claim"));
    let stuck = explain("admin", &["svc/b", "-n", "shop"]);
    let next = stuck["subjects"][0]["findings"][0]["next"][0].as_str().expect("a command").to_owned();
    // As a person pastes it: kubectl finds the plugin by its name.
    let folder = Path::new(BINARY).parent().expect("a folder").display();
    lab(&["run", &lab_name(), "--", "bash", "-c", &format!("PATH={folder}:$PATH; {next}")]);
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let now = explain("admin", &["svc/b", "-n", "shop"]);
        if now["exit"] == 0 {
            break;
        }
        assert!(Instant::now() < deadline, "still: {now:#}");
    }
}

#[test]
#[ignore = "needs a lab"]
fn users_see_what_their_rights_allow() {
    enter(&scenario("stuck-claim"));
    let oncall = explain("oncall", &["svc/b", "-n", "shop"]);
    assert_eq!(oncall["subjects"][0]["findings"][0]["code"], "VIP2102", "the recommended Role is enough");
    assert_eq!(oncall["subjects"][0]["unknown"], Value::Array(Vec::new()), "and leaves nothing unknown");
    let reader = explain("reader", &["svc/b", "-n", "shop"]);
    assert_eq!((&reader["subjects"][0]["verdict"], &reader["exit"]), (&Value::from("unknown"), &Value::from(3)));
    let nobody = vipctl("nobody", &["explain", "svc/b", "-n", "shop"]);
    assert_eq!(nobody.status.code(), Some(2));
    let words = String::from_utf8_lossy(&nobody.stderr).into_owned();
    assert!(words.contains("services") && words.contains("VIP9101"), "{words}");
}

#[test]
#[ignore = "needs a lab"]
fn asked_by_address_and_port_it_tells_owner_claimants_and_sharers() {
    enter(&scenario("stuck-claim"));
    let found = explain("admin", &["192.0.2.10:80"]);
    let subject = &found["subjects"][0];
    assert_eq!(subject["findings"][0]["code"], "VIP2102");
    assert_eq!(subject["frontends"][0]["nodes"]["absent"], 3);
    assert_eq!(subject["claimants"][0]["service"], "shop/b");
    assert_eq!(subject["sharers"].as_array().map(Vec::len), Some(2));
    let owned = explain("admin", &["192.0.2.10:443/TCP"]);
    assert_eq!(owned["subjects"][0]["frontends"][0]["owner"], "shop/a");
    let nobody = explain("admin", &["192.0.2.10:9999/UDP"]);
    assert_eq!(nobody["subjects"][0]["findings"][0]["code"], "VIP2108");
}
