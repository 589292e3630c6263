//! A fake API server on loopback, with exec over WebSocket in every way that it goes wrong.
//!
//! It decides nothing about Cilium: its agents echo the questions and answer with given rows. What
//! Cilium does is the lab's business; this is about connections, errors and deadlines.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocket};

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

fn exec(mut stream: TcpStream, request: &Request, world: &World) {
    let pod = request.path.split('/').nth(6).unwrap_or_default().to_owned();
    let key = request.header("sec-websocket-key")[0].to_owned();
    let protocol = if pod.contains("-v4") { "v4.channel.k8s.io" } else { "v5.channel.k8s.io" };
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    );
    stream.write_all(head.as_bytes()).expect("upgrade");
    let raw = stream.try_clone().expect("a handle");
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, None);
    let argv: Vec<&str> = request.query.iter().filter(|(n, _)| n == "command").map(|(_, v)| v.as_str()).collect();
    let text = shell(&argv, world);
    let behaviour = pod.split('-').nth(1).unwrap_or_default().to_owned();
    let mut send = |channel: u8, data: &[u8]| {
        let mut frame = vec![channel];
        frame.extend_from_slice(data);
        let _ = socket.send(Message::binary(frame));
    };
    // As the real server does right after the upgrade.
    send(1, b"");
    match behaviour.as_str() {
        "ok" => finish(&mut send, text.as_bytes()),
        "quiet" => finish(&mut send, b""),
        "slow" => {
            std::thread::sleep(Duration::from_millis(300));
            finish(&mut send, text.as_bytes());
        }
        "cut" => {
            send(1, &text.as_bytes()[..text.len() / 2]);
            let _ = raw.shutdown(std::net::Shutdown::Both);
            return;
        }
        "close" => {
            send(1, &text.as_bytes()[..text.len() / 2]);
            let _ = socket.close(None);
            let _ = socket.flush();
        }
        "hang" => std::thread::sleep(Duration::from_secs(60)),
        "half" => {
            // A status without all of the output: the kubelet lost the rest.
            finish(&mut send, &text.as_bytes()[..text.len() / 2]);
        }
        "exit" => {
            send(2, b"Error: something\nunknown flag\n");
            send(3, json!({"metadata": {}, "status": "Failure", "reason": "NonZeroExitCode", "message": "command terminated",
                           "details": {"causes": [{"reason": "ExitCode", "message": "3"}]}}).to_string().as_bytes());
        }
        "gone" => send(
            3,
            json!({"metadata": {}, "status": "Failure", "reason": "InternalError",
                                 "message": "container not found (\"cilium-agent\")"})
            .to_string()
            .as_bytes(),
        ),
        "big" => {
            let block = vec![b'x'; 100_000];
            for n in 0..96 {
                send(1, &block);
                if n % 2 == 0 {
                    send(2, &block[..1000]);
                }
            }
            finish(&mut send, b"");
        }
        "flood" => {
            let block = vec![b'x'; 100_000];
            for _ in 0..20 {
                send(1, &block);
            }
            finish(&mut send, b"");
        }
        other => panic!("no such behaviour: {other}"),
    }
    // Let the client read before the socket closes.
    let _ = raw.set_read_timeout(Some(Duration::from_secs(5)));
    let _ = (&raw).read(&mut [0; 64]);
}

fn finish(send: &mut impl FnMut(u8, &[u8]), text: &[u8]) {
    for chunk in text.chunks(500) {
        send(1, chunk);
    }
    send(3, br#"{"metadata":{},"status":"Success"}"#);
}

/// Answers the questions of a call as the agent's shell lays them out.
fn shell(argv: &[&str], world: &World) -> String {
    let mut text = " \\__/  Cilium 1.20.2 x\r\n\r\n".to_owned();
    for pair in argv.get(4..).unwrap_or_default().chunks(2) {
        let [query, mark] = pair else { continue };
        let body = if query.starts_with("db/prefix -f json frontends") { world.rows.as_str() } else { "" };
        text += &format!("nd> {query}\r\n{body}\r\nnd> {mark}\r\n\r\n");
    }
    text + "nd> "
}

/// A row of table `frontends`.
pub fn row(key: &str, owner: &str) -> String {
    json!({"Address": key, "Type": "LoadBalancer", "ServiceName": owner, "Status": {"kind": "Done"},
           "Backends": [{"Address": "10.0.0.1:80/TCP", "State": 0}], "ID": 7})
    .to_string()
}

/// An own home for one run of the program, without anything of this machine's.
pub struct Home {
    pub path: PathBuf,
}

impl Home {
    /// An empty home; `name` must be the test's own.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("home-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a home");
        Self { path }
    }

    /// A home whose kubeconfig leads to the server.
    pub fn with(name: &str, server: &Server) -> Self {
        let home = Self::new(name);
        home.kubeconfig(&format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: lab\n\
             clusters: [{{name: c, cluster: {{server: \"{}\"}}}}]\n\
             users: [{{name: u, user: {{token: t}}}}]\n\
             contexts: [{{name: lab, context: {{cluster: c, user: u, namespace: shop}}}}, {{name: prod, context: {{cluster: c}}}}]\n",
            server.url
        ));
        home
    }

    pub fn kubeconfig(&self, text: &str) {
        std::fs::create_dir_all(self.path.join(".kube")).expect("a folder");
        std::fs::write(self.path.join(".kube/config"), text).expect("a kubeconfig");
    }

    /// Runs the program with nothing of the environment but this home.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &HashMap::new())
    }

    pub fn run_with(&self, args: &[&str], env: &HashMap<&str, String>) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-vipctl"));
        command.args(args).env_clear().env("HOME", &self.path).envs(env).current_dir(&self.path);
        Ran::of(command.output().expect("the program runs"))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What a run left.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it ended by itself"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The JSON on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}\n{}\n{}", self.out, self.err))
    }
}
