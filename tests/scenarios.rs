//! Every scenario of the lab, replayed from the capture that the lab recorded of it.
//!
//! The scripts in `tests/lab/scenarios` say in their first comments what `explain` has to find;
//! `tests/lab/record` makes the captures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use vipctl::model::SourceKind;
use vipctl::observe::read_capture;

/// The head comments of a scenario.
pub struct Scenario {
    /// Its file name without `.sh`.
    pub name: String,
    header: BTreeMap<String, String>,
}

impl Scenario {
    /// The value of a header, `-` and absence alike as none.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.header.get(key).map(String::as_str).filter(|value| *value != "-")
    }

    /// The capture that the lab recorded.
    pub fn capture(&self) -> PathBuf {
        root().join("tests/fixtures/captures").join(format!("{}.json", self.name))
    }

    /// The code and the verdict that are expected.
    pub fn expected(&self) -> (Option<&str>, &str) {
        let text = self.get("expect").unwrap_or_else(|| panic!("{}: no `# expect:`", self.name));
        let (code, verdict) = text.split_once(' ').unwrap_or_else(|| panic!("{}: `# expect: CODE VERDICT`", self.name));
        (Some(code).filter(|code| *code != "-"), verdict)
    }

    /// The expected counts of nodes, by their names in the JSON.
    pub fn nodes(&self) -> Vec<(String, u64)> {
        let count = |word: &str| {
            let (name, n) = word.split_once('=').expect("name=count");
            (name.to_owned(), n.parse().expect("a count"))
        };
        self.get("nodes").map(|text| text.split_whitespace().map(count).collect()).unwrap_or_default()
    }
}

/// The checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All scenarios, by name.
pub fn all() -> Vec<Scenario> {
    let folder = root().join("tests/lab/scenarios");
    let mut scripts: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("scenarios")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "sh") && !path.ends_with("lib.sh"))
        .collect();
    scripts.sort();
    scripts.iter().map(|path| read(path)).collect()
}

fn read(script: &Path) -> Scenario {
    let text = fs::read_to_string(script).expect("a script");
    let comment = |line: &str| {
        let (key, value) = line.strip_prefix("# ")?.split_once(": ")?;
        Some((key.to_owned(), value.trim().to_owned()))
    };
    Scenario {
        name: script.file_stem().expect("a name").to_string_lossy().into_owned(),
        header: text.lines().skip(1).take_while(|line| line.starts_with('#')).filter_map(comment).collect(),
    }
}

/// Checks an explanation against a scenario's header.
pub fn check(scenario: &Scenario, explanation: &Value) {
    let name = &scenario.name;
    let subject = &explanation["subjects"][0];
    let (code, verdict) = scenario.expected();
    assert_eq!(subject["verdict"], verdict, "{name}: {subject:#}");
    let finding = &subject["findings"][0]["code"];
    match code {
        Some(code) => assert_eq!(finding, code, "{name}"),
        None => assert_eq!(subject["findings"], Value::Array(Vec::new()), "{name}: nothing to report"),
    }
    let Some(address) = scenario.get("frontend") else { return };
    let frontends = subject["frontends"].as_array().expect("frontends");
    let frontend = frontends.iter().find(|f| f["address"] == address).unwrap_or_else(|| panic!("{name}: no {address}"));
    for (state, n) in scenario.nodes() {
        assert_eq!(frontend["nodes"][&state], n, "{name}: nodes {state}: {frontend:#}");
    }
}

fn explained(scenario: &Scenario) -> vipctl::diagnose::Explanation {
    let path = scenario.capture();
    let text = fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
    let observation = read_capture(&text, &scenario.name, SourceKind::Capture).expect("a capture");
    vipctl::diagnose::explain(&observation).expect("explainable")
}

#[test]
fn captures_are_explained_as_the_lab_made_them() {
    for scenario in all() {
        let explanation = serde_json::to_value(explained(&scenario)).expect("JSON");
        check(&scenario, &explanation);
    }
}

#[test]
fn captures_print_as_before() {
    use vipctl::render::{Format, Style, explanation};
    for scenario in all() {
        let explained = explained(&scenario);
        let print = |format, details| explanation(&explained, format, &Style { color: false, width: 80, details });
        let text = print(Format::Text, false);
        let widest = text.lines().filter(|line| !line.contains("kubectl ")).map(|line| line.chars().count()).max();
        assert!(widest.unwrap_or(0) <= 80, "{}: {text}", scenario.name);
        insta::assert_snapshot!(format!("{}-text", scenario.name), text);
        insta::assert_snapshot!(format!("{}-wide", scenario.name), print(Format::Wide, true));
        insta::assert_snapshot!(format!("{}-json", scenario.name), print(Format::Json, false));
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    use vipctl::render::{Format, Style, explanation};
    let stuck = all().into_iter().find(|scenario| scenario.name == "stuck-claim").expect("the scenario");
    let style = Style { color: false, width: 80, details: false };
    let text = explanation(&explained(&stuck), Format::Text, &style);
    let (answer, _) = text.split_once("\nseen ").expect("a capture says when it was taken");
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    assert!(readme.contains(answer.trim_end()), "README.md shows another text than:\n{answer}");
}

#[test]
fn every_capture_belongs_to_a_scenario() {
    let names: Vec<PathBuf> = all().iter().map(Scenario::capture).collect();
    for entry in fs::read_dir(root().join("tests/fixtures/captures")).expect("captures") {
        let path = entry.expect("an entry").path();
        assert!(names.contains(&path), "{} has no scenario", path.display());
    }
}
