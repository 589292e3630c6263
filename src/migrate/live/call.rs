//! One request, one deadline, no second try: a write that was sent twice is two writes.

use std::time::Duration;

use kube::Client;
use kube::api::{DeleteParams, GetParams, ListParams, Patch, PatchParams, PostParams, Preconditions};
use kube::core::{Request, Status, request};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::migrate::cluster::Outcome;
use crate::migrate::specs::MANAGER;
use crate::observe::plain_error;

/// Objects in one answer to a list.
const PAGE: u32 = 500;

/// Why a request came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The object is not there.
    Missing(String),
    /// It is there already, or is another than the one that was meant.
    Conflict(String),
    /// The server refused.
    Refused(String),
    /// There was no answer, or none that says what happened.
    Unknown(String),
}

impl Failure {
    /// As the end of an effect; an object that is gone was changed by somebody else.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Missing(text) | Self::Conflict(text) => Outcome::Conflict(text),
            Self::Refused(text) => Outcome::Refused(text),
            Self::Unknown(text) => Outcome::Unknown(text),
        }
    }

    /// The server's words.
    pub fn text(self) -> String {
        match self {
            Self::Missing(text) | Self::Conflict(text) | Self::Refused(text) | Self::Unknown(text) => text,
        }
    }
}

/// Whether a write is only tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Real,
    Dry,
}

/// Sends requests.
#[derive(Clone)]
pub(super) struct Caller {
    pub client: Client,
    pub deadline: Duration,
}

impl Caller {
    /// Reads one object; none where it is not there.
    pub async fn get(&self, path: &str, name: &str) -> Result<Option<Value>, Failure> {
        let found = self.call(|| Request::new(path).get(name, &GetParams::default()), Client::request).await;
        match found {
            Ok(object) => Ok(Some(object)),
            Err(Failure::Missing(_)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Lists the objects with these labels, as they are now.
    pub async fn list<T: DeserializeOwned>(&self, path: &str, labels: &str) -> Result<Vec<T>, Failure> {
        #[derive(serde::Deserialize)]
        struct Page<T> {
            #[serde(default)]
            metadata: Meta,
            // `Option`, since an empty list may be written `null`.
            items: Option<Vec<T>>,
        }
        #[derive(serde::Deserialize, Default)]
        struct Meta {
            #[serde(default, rename = "continue")]
            next: String,
        }
        let mut params = ListParams::default().labels(labels).limit(PAGE);
        let mut all = Vec::new();
        loop {
            let page: Page<T> = self.call(|| Request::new(path).list(&params), Client::request).await?;
            all.extend(page.items.unwrap_or_default());
            if page.metadata.next.is_empty() {
                return Ok(all);
            }
            params = params.continue_token(&page.metadata.next);
        }
    }

    /// Makes an object.
    pub async fn create(&self, path: &str, object: &Value, mode: Mode) -> Result<Value, Failure> {
        let params = PostParams { dry_run: mode == Mode::Dry, field_manager: Some(MANAGER.to_owned()) };
        let body = object.to_string().into_bytes();
        self.call(|| Request::new(path).create(&params, body), Client::request).await
    }

    /// Writes a JSON merge patch.
    pub async fn patch(&self, path: &str, name: &str, patch: &Value, mode: Mode) -> Result<Value, Failure> {
        let params = PatchParams {
            dry_run: mode == Mode::Dry,
            field_manager: Some(MANAGER.to_owned()),
            ..PatchParams::default()
        };
        self.call(|| Request::new(path).patch(name, &params, &Patch::Merge(patch)), Client::request).await
    }

    /// Replaces an object, if it is still in the state that it was made from.
    pub async fn replace(&self, path: &str, name: &str, object: &Value) -> Result<Value, Failure> {
        let params = PostParams { dry_run: false, field_manager: Some(MANAGER.to_owned()) };
        let body = object.to_string().into_bytes();
        self.call(|| Request::new(path).replace(name, &params, body), Client::request).await
    }

    /// Removes an object, if it is the one that is meant, in the state that is meant.
    pub async fn delete(&self, path: &str, name: &str, only: Preconditions, mode: Mode) -> Result<Value, Failure> {
        let params = DeleteParams { dry_run: mode == Mode::Dry, preconditions: Some(only), ..DeleteParams::default() };
        self.call(|| Request::new(path).delete(name, &params), Client::request).await
    }

    /// Builds a request and waits for its answer. The two closures only keep the request's type unnamed.
    async fn call<R, T>(
        &self,
        build: impl FnOnce() -> Result<R, request::Error>,
        send: impl AsyncFnOnce(&Client, R) -> kube::Result<T>,
    ) -> Result<T, Failure> {
        let request = build().map_err(|error| Failure::Refused(error.to_string()))?;
        match tokio::time::timeout(self.deadline, send(&self.client, request)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(kube::Error::Api(status))) => Err(self.refusal(&status).await),
            Ok(Err(error)) => Err(unanswered(&error)),
            Err(_) => Err(Failure::Unknown(format!("no answer within {} s", self.deadline.as_secs_f32()))),
        }
    }

    async fn refusal(&self, status: &Status) -> Failure {
        let text = match (status.message.as_str(), status.reason.as_str()) {
            ("", "") => format!("the server answered with code {}", status.code),
            ("", reason) => reason.to_owned(),
            (message, _) => message.to_owned(),
        };
        match status.code {
            404 => Failure::Missing(text),
            409 => Failure::Conflict(text),
            429 => {
                // Nothing was done; whoever looks again at once makes it worse.
                let wanted = status.details.as_ref().map_or(1, |details| details.retry_after_seconds.max(1));
                tokio::time::sleep(self.deadline.min(Duration::from_secs(wanted.into()))).await;
                Failure::Conflict(text)
            }
            400..500 => Failure::Refused(text),
            _ => Failure::Unknown(text),
        }
    }
}

fn unanswered(error: &kube::Error) -> Failure {
    let text = plain_error(error);
    match error {
        kube::Error::Auth(_) | kube::Error::BuildRequest(_) => Failure::Refused(text),
        kube::Error::SerdeError(_) => Failure::Unknown(format!("the server's answer is not understood: {text}")),
        _ => Failure::Unknown(text),
    }
}
