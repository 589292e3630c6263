//! What is asked of an agent again and again while ports move, and what its answers mean. Pure.

use std::collections::BTreeMap;

use serde_json::Value;

use super::parse::objects;
use super::{ReadError, plain, rows};
use crate::model::{FrontendRow, PortKey, ServiceRef, StatusKind};

/// What to ask.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watch {
    /// Whose rows of table `frontends`.
    pub keys: Vec<PortKey>,
    /// Which rows of table `services`.
    pub services: Vec<ServiceRef>,
    /// Which addresses of table `backends`, as agents print them.
    pub backends: Vec<String>,
}

/// A row of `frontends`, as far as it matters while ports move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// Whose it is.
    pub owner: ServiceRef,
    /// It is in the datapath: `Status` is Done, with an `ID` where the release prints one.
    pub done: bool,
    /// It has active backends.
    pub active: bool,
}

/// What an agent answered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Follow {
    /// For each key its row, where there is one; the twins of scope `internal` are left out.
    pub keys: Vec<Option<Followed>>,
    /// For each Service its annotations, where the agent has a row of it.
    pub services: Vec<Option<BTreeMap<String, String>>>,
    /// For each address, the Services that have it as a backend.
    pub backends: Vec<Vec<ServiceRef>>,
}

impl Watch {
    /// The commands, in the order of [`Watch::read`].
    ///
    /// # Errors
    /// When a name or an address holds a character that none has.
    pub fn commands(&self) -> Result<Vec<String>, String> {
        let mut all: Vec<String> = self.keys.iter().map(|key| format!("db/prefix -f json frontends {key}")).collect();
        for id in &self.services {
            all.push(format!("db/list -f json services {}", plain(id)?));
        }
        for address in &self.backends {
            all.push(format!("db/list -i address -f json backends {}", plain_address(address)?));
        }
        Ok(all)
    }

    /// Reads the answers to [`Watch::commands`].
    ///
    /// # Errors
    /// When one of them is not understood.
    pub fn read(&self, answers: &[String]) -> Result<Follow, ReadError> {
        let want = self.keys.len() + self.services.len() + self.backends.len();
        if answers.len() != want {
            return Err(ReadError::Truncated { have: answers.len(), want });
        }
        let mut answers = answers.iter().map(|text| text.trim());
        let mut next = || objects(answers.next().unwrap_or_default());
        let mut follow = Follow::default();
        for key in &self.keys {
            follow.keys.push(row_of(&next()?, key)?);
        }
        for id in &self.services {
            follow.services.push(annotations(&next()?, id));
        }
        for _ in &self.backends {
            follow.backends.push(users(&next()?));
        }
        Ok(follow)
    }
}

fn plain_address(text: &str) -> Result<&str, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '/' | '[' | ']');
    if !text.is_empty() && text.chars().all(good) { Ok(text) } else { Err(format!("'{text}' is no address")) }
}

/// A prefix may take in more than was asked for.
fn row_of(rows: &[Value], key: &PortKey) -> Result<Option<Followed>, ReadError> {
    for value in rows {
        if let Some(row) = rows::frontend(value)?
            && row.key == *key
            && !row.internal
        {
            return Ok(Some(followed(row, value)));
        }
    }
    Ok(None)
}

fn followed(row: FrontendRow, value: &Value) -> Followed {
    let programmed = value.get("ID").is_none() || row.status.id != 0;
    Followed {
        done: row.status.kind == StatusKind::Done && programmed,
        active: row.backends.iter().any(|backend| backend.active),
        owner: row.owner,
    }
}

/// The row of exactly this Service, whatever else an answer holds.
fn annotations(rows: &[Value], id: &ServiceRef) -> Option<BTreeMap<String, String>> {
    let row = rows.iter().find(|row| row.get("Name").and_then(service).as_ref() == Some(id))?;
    let all = row.get("Annotations").and_then(Value::as_object).into_iter().flatten();
    Some(all.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect())
}

/// Up to 1.19 a row has `Instances`, one for each Service; from 1.20 on there is a row for each.
fn users(rows: &[Value]) -> Vec<ServiceRef> {
    let instances = |row: &Value| -> Vec<Value> {
        let all = row.get("Instances").and_then(Value::as_array);
        all.map_or_else(|| vec![row.clone()], |all| all.iter().filter_map(|i| i.get("k").cloned()).collect())
    };
    let names = rows.iter().flat_map(instances);
    names.filter_map(|instance| service(instance.get("ServiceName")?)).collect()
}

fn service(value: &Value) -> Option<ServiceRef> {
    rows::service_name(value).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn watch() -> Watch {
        Watch {
            keys: vec!["192.0.2.10:80/TCP".parse().expect("a key"), "[2001:db8::1]:53/UDP".parse().expect("a key")],
            services: vec![ServiceRef::new("shop", "a")],
            backends: vec!["198.51.100.11:11080/TCP".into()],
        }
    }

    fn row(address: &str, kind: &str, id: u64, states: &[u64]) -> String {
        let backends: Vec<Value> = states
            .iter()
            .map(|s| json!({"Address": "198.51.100.11:11080/TCP", "State": s, "Unhealthy": false}))
            .collect();
        json!({"Address": address, "ServiceName": "shop/a", "Status": {"kind": kind, "id": 7}, "ID": id, "Backends": backends})
            .to_string()
    }

    #[test]
    fn everything_is_asked_by_index() {
        assert_eq!(
            watch().commands().expect("plain"),
            [
                "db/prefix -f json frontends 192.0.2.10:80/TCP",
                "db/prefix -f json frontends [2001:db8::1]:53/UDP",
                "db/list -f json services shop/a",
                "db/list -i address -f json backends 198.51.100.11:11080/TCP",
            ]
        );
        let odd = Watch { backends: vec!["1.2.3.4:5/TCP\rdb/delete".into()], ..Watch::default() };
        assert!(odd.commands().is_err());
        let odd = Watch { services: vec![ServiceRef::new("shop", "a;b")], ..Watch::default() };
        assert!(odd.commands().is_err());
    }

    #[test]
    fn rows_are_held_against_what_was_asked() {
        // A twin of scope internal, and a port that only begins alike.
        let first = [row("192.0.2.10:80/TCP/i", "Done", 1, &[0]), row("192.0.2.10:80/TCP", "Done", 2, &[1])].concat();
        let service =
            json!({"Name": "shop/a", "Annotations": {"vipctl.dev/migration": "x.1", "other": "y"}}).to_string();
        let backend = json!({"ServiceName": "shop/b", "Address": "198.51.100.11:11080/TCP"}).to_string();
        let follow = watch().read(&[first, String::new(), service, backend]).expect("rows");
        let owner = ServiceRef::new("shop", "a");
        assert_eq!(follow.keys, [Some(Followed { owner, done: true, active: false }), None]);
        assert_eq!(follow.services[0].as_ref().expect("a row")["vipctl.dev/migration"], "x.1");
        assert_eq!(follow.backends, [vec![ServiceRef::new("shop", "b")]]);
    }

    #[test]
    fn done_without_an_id_is_not_done() {
        let read = |text: String| {
            let all = [text, String::new(), String::new(), String::new()];
            watch().read(&all).expect("rows").keys[0].clone().expect("a row").done
        };
        assert!(read(row("192.0.2.10:80/TCP", "Done", 4, &[0])));
        assert!(!read(row("192.0.2.10:80/TCP", "Done", 0, &[0])));
        assert!(!read(row("192.0.2.10:80/TCP", "Pending", 4, &[0])));
    }

    #[test]
    fn older_releases_list_the_instances_of_a_backend() {
        let old = json!({"Address": {"AddrCluster": "198.51.100.11", "Port": 1, "Protocol": "TCP"}, "Instances": [
            {"k": {"ServiceName": {"Namespace": "shop", "Name": "a", "Cluster": ""}, "SourcePriority": 0}, "v": {}},
            {"k": {"ServiceName": "shop/b"}, "v": {}}]});
        let follow = watch().read(&[String::new(), String::new(), String::new(), old.to_string()]).expect("rows");
        assert_eq!(follow.backends[0], [ServiceRef::new("shop", "a"), ServiceRef::new("shop", "b")]);
        assert_eq!(follow.services, [None]);
    }

    #[test]
    fn what_is_no_row_is_no_answer() {
        let all = |first: &str| [first.to_owned(), String::new(), String::new(), String::new()];
        assert!(matches!(watch().read(&all("ERROR: table \"frontends\" not found")), Err(ReadError::NoTable(_))));
        assert!(watch().read(&all("{\"Address\": ")).is_err());
        assert!(watch().read(&all("\"panic marshalling JSON\"")).is_err());
        assert!(watch().read(&[String::new()]).is_err());
    }
}
