//! Label selectors, as pools, policies and advertisements use them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A Kubernetes label selector.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Selector {
    /// Labels that must be there with these values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    /// Further requirements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Requirement>,
}

/// One `matchExpressions` entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The label's name.
    pub key: String,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: String,
    /// The values of `In` and `NotIn`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

impl Selector {
    /// Tells whether the labels satisfy every requirement; an operator that Kubernetes does not
    /// know satisfies nothing.
    #[must_use]
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value))
            && self.match_expressions.iter().all(|wish| wish.met(labels.get(&wish.key)))
    }
}

impl Requirement {
    fn met(&self, value: Option<&String>) -> bool {
        match self.operator.as_str() {
            "In" => value.is_some_and(|v| self.values.contains(v)),
            "NotIn" => value.is_none_or(|v| !self.values.contains(v)),
            "Exists" => value.is_some(),
            "DoesNotExist" => value.is_none(),
            _ => false,
        }
    }
}

impl std::str::FromStr for Selector {
    type Err = super::ParseIdError;

    /// Reads what `kubectl -l` takes: `a=b,c!=d,e in (f,g),h notin (i),j,!k`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || super::ParseIdError {
            input: text.to_owned(),
            wanted: "a label selector like app=web,tier in (edge,core),!canary",
        };
        let terms = split_terms(text).into_iter().filter(|term| !term.is_empty());
        let wishes: Option<Vec<Requirement>> = terms.map(requirement).collect();
        Ok(Self { match_labels: BTreeMap::new(), match_expressions: wishes.ok_or_else(refuse)? })
    }
}

/// Splits at commas that are not inside parentheses.
fn split_terms(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let split = text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    split.map(str::trim).collect()
}

/// Reads one term of a selector.
fn requirement(term: &str) -> Option<Requirement> {
    let wish = |key: &str, operator: &str, values: Vec<&str>| {
        let key = key.trim();
        let plain = !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || "()=!,".contains(c));
        plain.then(|| Requirement {
            key: key.to_owned(),
            operator: operator.to_owned(),
            values: values.iter().map(|value| value.trim().to_owned()).collect(),
        })
    };
    if let Some(list) = term.strip_suffix(')') {
        let (head, values) = list.split_once('(')?;
        let (key, word) = head.trim_end().rsplit_once(char::is_whitespace)?;
        let operator = match word {
            "in" => "In",
            "notin" => "NotIn",
            _ => return None,
        };
        return wish(key, operator, values.split(',').collect());
    }
    if let Some((key, value)) = term.split_once("!=") {
        return wish(key, "NotIn", vec![value]);
    }
    if let Some((key, value)) = term.split_once('=') {
        return wish(key, "In", vec![value.trim_start_matches('=')]);
    }
    match term.strip_prefix('!') {
        Some(key) => wish(key, "DoesNotExist", Vec::new()),
        None => wish(term, "Exists", Vec::new()),
    }
}

impl std::fmt::Display for Selector {
    /// Writes it as `kubectl -l` would take it; an empty selector reads `everything`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts: Vec<String> = self.match_labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
        parts.extend(self.match_expressions.iter().map(|wish| match wish.operator.as_str() {
            "In" => format!("{} in ({})", wish.key, wish.values.join(",")),
            "NotIn" => format!("{} notin ({})", wish.key, wish.values.join(",")),
            "DoesNotExist" => format!("!{}", wish.key),
            _ => wish.key.clone(),
        }));
        f.write_str(if parts.is_empty() { "everything" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_read_as_kubectl_takes_them() {
        let labels: BTreeMap<String, String> = [("tier".to_owned(), "edge".to_owned())].into();
        let fits = |text: &str| text.parse::<Selector>().expect(text).matches(&labels);
        for text in ["tier=edge", "tier==edge", "tier in (core, edge)", "zone notin (a,b),tier", "zone!=x", "!zone", ""]
        {
            assert!(fits(text), "{text}");
        }
        for text in ["tier=core", "tier notin (edge)", "zone", "!tier", "tier=edge,zone"] {
            assert!(!fits(text), "{text}");
        }
        for text in ["tier like (edge)", "a b", "=x", "tier in edge)"] {
            assert!(text.parse::<Selector>().is_err(), "{text}");
        }
    }

    #[test]
    fn expressions_follow_kubernetes() {
        let labels: BTreeMap<String, String> = [("tier".to_owned(), "edge".to_owned())].into();
        let check = |key: &str, operator: &str, values: &[&str]| {
            Selector {
                match_labels: BTreeMap::new(),
                match_expressions: vec![Requirement {
                    key: key.to_owned(),
                    operator: operator.to_owned(),
                    values: values.iter().map(|v| (*v).to_owned()).collect(),
                }],
            }
            .matches(&labels)
        };
        assert!(check("tier", "In", &["edge", "core"]));
        assert!(!check("tier", "NotIn", &["edge"]));
        assert!(check("zone", "NotIn", &["edge"]), "a label that is absent is not in any set");
        assert!(check("tier", "Exists", &[]));
        assert!(check("zone", "DoesNotExist", &[]));
        assert!(!check("tier", "Like", &["e"]));
        assert!(Selector::default().matches(&labels), "an empty selector takes everything");
    }
}
