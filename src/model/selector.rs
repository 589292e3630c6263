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
