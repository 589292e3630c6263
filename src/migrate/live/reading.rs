//! What the API holds about both Services, as one look takes it.

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::{ListParams, Request};
use kube::client::Body;
use serde_json::Value;

use super::writer::Writer;
use crate::migrate::intent::{Intent, Side, Strategy};
use crate::migrate::specs::MANAGER;
use crate::migrate::world::Millis;
use crate::observe::clock_offset;

/// Both Services and their slices.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    /// When it was asked for.
    pub at: Millis,
    pub source: Option<Value>,
    pub target: Option<Value>,
    pub source_slices: Vec<EndpointSlice>,
    pub target_slices: Vec<EndpointSlice>,
}

impl Reading {
    /// Reads everything that the intent's strategy needs: slices only where connections are handed over.
    pub async fn take(writer: &Writer, intent: &Intent, at: Millis) -> Result<Self, String> {
        let (source, target) = (&intent.source.service, &intent.target.service);
        let slices = intent.strategy == Strategy::Handoff;
        let list = async |service| if slices { writer.slices(service).await } else { Ok(Vec::new()) };
        let (a, b, a_slices, b_slices) =
            futures::try_join!(writer.get(source), writer.get(target), list(source), list(target))?;
        Ok(Self { at, source: a, target: b, source_slices: a_slices, target_slices: b_slices })
    }

    /// The Service of a side.
    pub fn object(&self, side: Side) -> Option<&Value> {
        match side {
            Side::Source => self.source.as_ref(),
            Side::Target => self.target.as_ref(),
        }
    }

    /// What differs as soon as anything of it was written.
    pub fn revisions(&self) -> Vec<String> {
        let services = [&self.source, &self.target].map(|object| object.as_ref().map_or_else(String::new, revision));
        let slices = self.source_slices.iter().chain(&self.target_slices).map(|slice| {
            let text = |part: &Option<String>| part.clone().unwrap_or_default();
            format!("{}@{}", text(&slice.metadata.name), text(&slice.metadata.resource_version))
        });
        services.into_iter().chain(slices).collect()
    }
}

/// A Service's uid and resourceVersion.
pub(super) fn revision(object: &Value) -> String {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    format!("{}@{}", text("/metadata/uid"), text("/metadata/resourceVersion"))
}

/// How long ago our last write to a Service was, by the API server's clock; status apart.
pub(super) fn written_for(object: &Value, now: Timestamp) -> Option<Millis> {
    let all = object.pointer("/metadata/managedFields")?.as_array()?;
    let ours = all.iter().filter(|entry| {
        entry.get("manager").and_then(Value::as_str) == Some(MANAGER)
            && entry.get("subresource").and_then(Value::as_str).unwrap_or_default().is_empty()
    });
    let last = ours.filter_map(|entry| entry.get("time")?.as_str()?.parse::<Timestamp>().ok()).max()?;
    Some(Millis::try_from(now.duration_since(last).as_millis()).unwrap_or(0))
}

/// How far the API server's clock is ahead of ours; zero where that cannot be told.
pub(super) async fn clock_ahead(client: &kube::Client) -> SignedDuration {
    let sent = Timestamp::now();
    let ask = async {
        let request = Request::new("/version").list(&ListParams::default()).ok()?;
        let answer = client.send(request.map(Body::from)).await.ok()?;
        Some(answer.headers().get("date")?.to_str().ok()?.to_owned())
    };
    let Some(date) = ask.await else { return SignedDuration::ZERO };
    let took = Timestamp::now().duration_since(sent).unsigned_abs();
    clock_offset(&date, sent, took)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn our_last_write_dates_the_switch() {
        let object = json!({"metadata": {"managedFields": [
            {"manager": "kubectl-vipctl", "time": "2026-01-01T00:00:00Z"},
            {"manager": "kubectl-vipctl", "time": "2026-01-01T00:00:10Z"},
            {"manager": "kubectl-vipctl", "time": "2026-01-01T00:00:40Z", "subresource": "status"},
            {"manager": "cilium-operator", "time": "2026-01-01T00:00:50Z"}]}});
        let now = "2026-01-01T00:01:00Z".parse().expect("a time");
        assert_eq!(written_for(&object, now), Some(50_000));
        let early = "2026-01-01T00:00:05Z".parse().expect("a time");
        assert_eq!(written_for(&object, early), Some(0), "clocks differ a little");
        assert_eq!(written_for(&json!({"metadata": {}}), now), None);
    }

    #[test]
    fn any_write_makes_another_revision() {
        let service = |version: &str| Some(json!({"metadata": {"uid": "u", "resourceVersion": version}}));
        let slice = |version: &str| EndpointSlice {
            metadata: kube::core::ObjectMeta {
                name: Some("a-1".into()),
                resource_version: Some(version.into()),
                ..kube::core::ObjectMeta::default()
            },
            ..EndpointSlice::default()
        };
        let reading = Reading { source: service("1"), source_slices: vec![slice("3")], ..Reading::default() };
        let again = Reading { at: 9, ..reading.clone() };
        assert_eq!(reading.revisions(), again.revisions());
        assert_ne!(reading.revisions(), Reading { source: service("2"), ..again.clone() }.revisions());
        assert_ne!(reading.revisions(), Reading { source_slices: vec![slice("4")], ..again.clone() }.revisions());
        assert_ne!(reading.revisions(), Reading { target: service("1"), ..again }.revisions());
    }
}
