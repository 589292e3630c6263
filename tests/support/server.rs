//! The fake API server: what it holds, what it refuses, what it saw.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::exec::exec;

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Request {
    pub path: String,
    pub query: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
}

impl Request {
    /// All values of a header.
    pub fn header(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str()).collect()
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.query.iter().any(|(n, v)| n == name && v == value)
    }
}

/// The fake cluster: which Services, which agents, what is forbidden.
#[derive(Default)]
pub struct World {
    pub services: Vec<Value>,
    /// Pod names; the first word after `cilium-` is how its exec behaves.
    pub agents: Vec<&'static str>,
    /// Paths (by prefix) that answer 403.
    pub forbidden: Vec<&'static str>,
    /// Namespaces that are there, beside those of the Services.
    pub namespaces: Vec<&'static str>,
    /// Rows for the question about an address.
    pub rows: String,
}

/// A running fake server.
pub struct Server {
    pub url: String,
    pub seen: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Starts one; it lives as long as the test process.
    pub fn start(world: World) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (world, log) = (Arc::new(world), Arc::clone(&seen));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (world, log) = (Arc::clone(&world), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, &world, &log));
            }
        });
        Self { url, seen }
    }

    /// Requests whose path ends so.
    pub fn requests(&self, end: &str) -> Vec<Request> {
        self.seen.lock().expect("log").iter().filter(|r| r.path.ends_with(end)).cloned().collect()
    }
}

fn serve(stream: TcpStream, world: &World, log: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a handle"));
    while let Some(request) = read_request(&mut reader) {
        log.lock().expect("log").push(request.clone());
        if request.path.ends_with("/exec") && !is_forbidden(world, &request) {
            return exec(stream, &request, world);
        }
        let (code, body) = answer(world, &request);
        let text = body.to_string();
        let head =
            format!("HTTP/1.1 {code} x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", text.len());
        if (&stream).write_all((head + &text).as_bytes()).is_err() {
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
    let target = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
            None => break,
        }
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let pairs = query.split('&').filter(|p| !p.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), decode(value))
    });
    Some(Request { path: path.to_owned(), query: pairs.collect(), headers })
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let hex = [rest.next().expect("hex"), rest.next().expect("hex")];
                u8::from_str_radix(std::str::from_utf8(&hex).expect("hex"), 16).expect("hex")
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).expect("text")
}

fn status(code: u16, reason: &str, message: &str) -> (u16, Value) {
    (
        code,
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": code,
                  "reason": reason, "message": message}),
    )
}

fn is_forbidden(world: &World, request: &Request) -> bool {
    world
        .forbidden
        .iter()
        .any(|path| request.path.starts_with(path) || (path.starts_with("*") && request.path.ends_with(&path[1..])))
}

fn answer(world: &World, request: &Request) -> (u16, Value) {
    if is_forbidden(world, request) {
        return status(403, "Forbidden", "it is forbidden: User \"u\" cannot do that");
    }
    let list = |kind: &str, items: Vec<Value>| {
        (200, json!({"kind": kind, "apiVersion": "v1", "metadata": {}, "items": items}))
    };
    let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
    match parts[..] {
        ["version"] => (
            200,
            json!({"major": "1", "minor": "34", "gitVersion": "v1.34.4", "gitCommit": "", "gitTreeState": "",
                        "buildDate": "", "goVersion": "", "compiler": "", "platform": ""}),
        ),
        ["api", "v1", "services"] => {
            let only = request.has("fieldSelector", "spec.type=LoadBalancer");
            let all = world.services.iter().filter(|s| !only || s["spec"]["type"] == "LoadBalancer");
            list("ServiceList", all.cloned().collect())
        }
        ["api", "v1", "namespaces", ns, "services"] => {
            list("ServiceList", world.services.iter().filter(|s| s["metadata"]["namespace"] == ns).cloned().collect())
        }
        ["api", "v1", "namespaces", ns, "services", name] => {
            let found =
                world.services.iter().find(|s| s["metadata"]["namespace"] == ns && s["metadata"]["name"] == name);
            found.map_or_else(
                || status(404, "NotFound", &format!("services \"{name}\" not found")),
                |s| (200, s.clone()),
            )
        }
        ["api", "v1", "namespaces", ns] => {
            let there =
                world.namespaces.contains(&ns) || world.services.iter().any(|s| s["metadata"]["namespace"] == ns);
            if there {
                (200, json!({"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": ns}}))
            } else {
                status(404, "NotFound", &format!("namespaces \"{ns}\" not found"))
            }
        }
        ["api", "v1", "pods"] | ["api", "v1", "namespaces", _, "pods"]
            if request.has("labelSelector", "k8s-app=cilium") =>
        {
            list("PodList", world.agents.iter().enumerate().map(|(n, name)| pod(name, n + 1)).collect())
        }
        ["api", "v1", "namespaces", _, "pods"] => list("PodList", vec![]),
        ["api", "v1", "nodes"] => list("NodeList", (1..=world.agents.len()).map(node).collect()),
        [.., "endpointslices"] => (
            200,
            json!({"kind": "EndpointSliceList", "apiVersion": "discovery.k8s.io/v1", "metadata": {}, "items": []}),
        ),
        [.., "ciliumloadbalancerippools"] => (
            200,
            json!({"kind": "CiliumLoadBalancerIPPoolList", "apiVersion": "cilium.io/v2", "metadata": {}, "items": []}),
        ),
        _ => status(404, "NotFound", "the server could not find the requested resource"),
    }
}

fn pod(name: &str, n: usize) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "kube-system"},
        "spec": {"nodeName": format!("nd{n}"), "containers": [{"name": "cilium-agent", "image": "q/cilium:v1.20.2"}]},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]}
    })
}

fn node(n: usize) -> Value {
    json!({"metadata": {"name": format!("nd{n}")}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}})
}

/// A LoadBalancer Service with an address.
pub fn service(namespace: &str, name: &str, vip: &str) -> Value {
    json!({
        "kind": "Service", "apiVersion": "v1",
        "metadata": {"name": name, "namespace": namespace, "uid": format!("u-{name}"), "resourceVersion": "1"},
        "spec": {"type": "LoadBalancer", "ports": [{"port": 80, "protocol": "TCP"}]},
        "status": {"loadBalancer": {"ingress": [{"ip": vip}]},
                   "conditions": [{"type": "cilium.io/IPAMRequestSatisfied", "status": "True", "reason": "satisfied",
                                   "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
    })
}
