//! An API server for tests: objects by path, resourceVersions, and faults for the next write.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// What happens to the next write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is done, and the connection breaks before the answer.
    AnswerLost,
    /// It is not done, and there is never an answer.
    Silence,
    /// It is refused with this code.
    Code(u16),
    /// It is done otherwise than asked.
    Altered,
}

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Value>,
    version: u64,
    fault: Option<Fault>,
    writes: usize,
}

/// A running server.
#[derive(Clone, Default)]
pub(super) struct Fake(Arc<Mutex<State>>);

struct Request {
    method: String,
    path: String,
    dry: bool,
    body: Value,
}

impl Fake {
    /// Starts one, with a client that does not retry.
    pub fn start() -> (Self, kube::Client) {
        let fake = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let served = fake.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = served.clone();
                std::thread::spawn(move || served.serve(&stream));
            }
        });
        let mut config = kube::Config::new(url.parse().expect("a URL"));
        config.default_retry = false;
        (fake, kube::Client::try_from(config).expect("a client"))
    }

    /// Makes or changes an object behind everybody's back.
    pub fn put(&self, path: &str, mut object: Value) -> Value {
        let mut state = self.0.lock().expect("state");
        state.version += 1;
        object["metadata"]["resourceVersion"] = json!(state.version.to_string());
        state.objects.insert(path.to_owned(), object.clone());
        object
    }

    /// What is there now.
    pub fn object(&self, path: &str) -> Option<Value> {
        self.0.lock().expect("state").objects.get(path).cloned()
    }

    /// The next write fails so.
    pub fn fail(&self, fault: Fault) {
        self.0.lock().expect("state").fault = Some(fault);
    }

    /// Writes that came in, dry ones and refused ones too.
    pub fn writes(&self) -> usize {
        self.0.lock().expect("state").writes
    }

    fn serve(&self, stream: &TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("a handle"));
        while let Some(request) = read(&mut reader) {
            let write = request.method != "GET";
            let fault = if write { self.0.lock().expect("state").fault.take() } else { None };
            self.0.lock().expect("state").writes += usize::from(write);
            let (code, body) = match fault {
                Some(Fault::Silence) => return std::thread::sleep(Duration::from_secs(30)),
                Some(Fault::Code(code)) => status(code, "words of the server"),
                Some(Fault::AnswerLost) => {
                    self.answer(request, false);
                    return;
                }
                Some(Fault::Altered) => self.answer(request, true),
                None => self.answer(request, false),
            };
            let text = body.to_string();
            let head = format!("HTTP/1.1 {code} x\r\nContent-Length: {}\r\n\r\n", text.len());
            if (&*stream).write_all((head + &text).as_bytes()).is_err() {
                return;
            }
        }
    }

    fn answer(&self, request: Request, altered: bool) -> (u16, Value) {
        let mut guard = self.0.lock().expect("state");
        let state = &mut *guard;
        let Request { method, path, dry, body } = request;
        let there = state.objects.get(&path).cloned();
        let wanted = &body["preconditions"];
        let stale =
            |object: &Value, version: &Value| !version.is_null() && object["metadata"]["resourceVersion"] != *version;
        let (path, mut object) = match (method.as_str(), there) {
            ("GET", Some(object)) => return (200, object),
            ("GET", None) if path.ends_with('s') => {
                let (prefix, kind) = path.rsplit_once('/').expect("a path");
                let inside = |p: &&String| p.starts_with(prefix) && p.contains(&format!("/{kind}/"));
                let items: Vec<&Value> = state.objects.keys().filter(inside).map(|path| &state.objects[path]).collect();
                return (200, json!({"metadata": {}, "items": items}));
            }
            ("POST", _) => {
                let name = body["metadata"]["name"].as_str().unwrap_or("generated").to_owned();
                let path = format!("{path}/{name}");
                if state.objects.contains_key(&path) {
                    return status(409, "already exists");
                }
                let mut made = body;
                made["metadata"]["uid"] = json!(format!("u{}", state.version));
                made["metadata"]["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
                (path, made)
            }
            (_, None) => return status(404, "not found"),
            ("DELETE", Some(object)) => {
                let other = !wanted["uid"].is_null() && object["metadata"]["uid"] != wanted["uid"];
                if other || stale(&object, &wanted["resourceVersion"]) {
                    return status(409, "the precondition does not hold");
                }
                if !dry {
                    state.objects.remove(&path);
                }
                return (200, json!({"kind": "Status", "status": "Success"}));
            }
            (_, Some(object)) if stale(&object, &body["metadata"]["resourceVersion"]) => {
                return status(409, "the object has been modified");
            }
            ("PUT", Some(object)) => {
                let mut next = body;
                next["metadata"]["creationTimestamp"] = object["metadata"]["creationTimestamp"].clone();
                (path, next)
            }
            (_, Some(mut object)) => {
                merge(&mut object, &body);
                (path, object)
            }
        };
        if altered {
            object["spec"]["ports"] = json!([]);
        }
        if !dry {
            state.version += 1;
            object["metadata"]["resourceVersion"] = json!(state.version.to_string());
            state.objects.insert(path, object.clone());
        }
        (200, object)
    }
}

/// What the API server makes of a merge patch, as far as it matters in tests.
pub(crate) fn merge(object: &mut Value, patch: &Value) {
    let Some(patch) = patch.as_object() else {
        *object = patch.clone();
        return;
    };
    if !object.is_object() {
        *object = json!({});
    }
    let map = object.as_object_mut().expect("a map");
    for (name, value) in patch {
        if value.is_null() {
            map.remove(name);
        } else {
            merge(map.entry(name.clone()).or_insert(Value::Null), value);
        }
    }
}

fn status(code: u16, message: &str) -> (u16, Value) {
    (code, json!({"kind": "Status", "status": "Failure", "code": code, "message": message}))
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        length = line.strip_prefix("content-length: ").map_or(length, |n| n.parse().expect("a number"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let dry = query.contains("dryRun=All") || body["dryRun"][0] == "All";
    Some(Request { method, path: path.to_owned(), dry, body })
}
