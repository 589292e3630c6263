//! The fake agents: exec over WebSocket, and every way in which it ends.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocket};

use super::server::{Request, World};

/// Answers one exec as the pod's name says.
pub fn exec(mut stream: TcpStream, request: &Request, world: &World) {
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
