//! Reads of the Kubernetes API, each with a deadline and a name for the permission that it needs.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use kube::api::{Api, ListParams, ObjectList};
use serde::de::DeserializeOwned;

use super::Event;
use crate::model::{Missing, MissingKind, Permission, Read};

/// Objects on one page of a list.
const PAGE: u32 = 500;

/// Tries of one read within its deadline, and the pause before the second.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(200);

/// The kinds of failure that somebody acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// There is no connection to the server.
    Connect,
    /// The server does not know who we are.
    Unauthorized,
    /// It refused.
    Forbidden,
    /// The object, or its kind, is not there.
    NotFound,
    /// The server does not know that field selector.
    BadRequest,
    /// No answer in time.
    Timeout,
    /// Anything else.
    Other,
}

/// A read that failed.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub cause: Cause,
    pub text: String,
    pub permission: Permission,
}

impl Failure {
    /// In the terms of an observation.
    pub fn missing(&self) -> Missing {
        let kind = match self.cause {
            Cause::Forbidden => MissingKind::Forbidden,
            Cause::NotFound => MissingKind::NotServed,
            Cause::Timeout => MissingKind::Timeout,
            _ => MissingKind::Failed,
        };
        let permission = (self.cause == Cause::Forbidden).then(|| self.permission.clone());
        Missing { kind, text: self.text.clone(), permission }
    }

    /// An answer of the server's that could not be used.
    pub fn unreadable(permission: Permission, text: String) -> Self {
        Self { cause: Cause::Other, text, permission }
    }
}

pub(super) type Got<T> = Result<T, Failure>;

/// Something read now, or why not.
pub(super) fn noted<T>(result: Got<T>) -> Read<T> {
    match result {
        Ok(value) => Read::Known { value, at: Timestamp::now() },
        Err(failure) => Read::Unknown(failure.missing()),
    }
}

/// Names a permission.
pub(super) fn may(verb: &str, resource: &str, namespace: Option<&str>) -> Permission {
    Permission { verb: verb.to_owned(), resource: resource.to_owned(), namespace: namespace.map(str::to_owned) }
}

/// Reads with one deadline for all tries and pages of a read, and tells when one ended.
pub(super) struct Reader {
    pub deadline: Duration,
    pub events: Box<dyn Fn(Event)>,
}

impl Reader {
    /// Reads, again where the server asks for patience; reads change nothing, so that is safe.
    pub async fn read<T, F>(&self, permission: Permission, mut ask: impl FnMut() -> F) -> Got<T>
    where
        F: Future<Output = kube::Result<T>>,
    {
        let begin = Instant::now();
        let tries = async {
            let mut pause = PAUSE;
            for _ in 1..TRIES {
                match ask().await {
                    Err(kube::Error::Api(status)) if matches!(status.code, 429 | 503 | 504) => {
                        tokio::time::sleep(pause).await;
                        pause *= 2;
                    }
                    other => return other,
                }
            }
            ask().await
        };
        let result = match tokio::time::timeout(self.deadline, tries).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(failure(&error, permission.clone())),
            Err(_) => Err(Failure {
                cause: Cause::Timeout,
                text: format!("no answer within {} s", self.deadline.as_secs_f32()),
                permission: permission.clone(),
            }),
        };
        let trouble = result.as_ref().err().map(|f| f.text.clone());
        (self.events)(Event::Read { what: permission.to_string(), took: begin.elapsed(), trouble });
        result
    }

    /// Lists all pages.
    pub async fn list<K>(&self, permission: Permission, api: &Api<K>, params: &ListParams) -> Got<Vec<K>>
    where
        K: Clone + DeserializeOwned + Debug,
    {
        self.read(permission, async || pages(params, async |page| api.list(page).await).await).await
    }

    /// Lists the names of a kind's objects and reads nothing else of them.
    pub async fn names<K>(&self, permission: Permission, api: &Api<K>) -> Got<Vec<String>>
    where
        K: Clone + DeserializeOwned + Debug,
    {
        let all = ListParams::default();
        let list =
            self.read(permission, async || pages(&all, async |page| api.list_metadata(page).await).await).await?;
        Ok(list.into_iter().filter_map(|object| object.metadata.name).collect())
    }
}

/// All pages of a list.
async fn pages<K: Clone>(
    params: &ListParams,
    get: impl AsyncFn(&ListParams) -> kube::Result<ObjectList<K>>,
) -> kube::Result<Vec<K>> {
    let mut items: Vec<K> = Vec::new();
    let mut page = params.clone().limit(PAGE);
    loop {
        let ObjectList { metadata, items: more, .. } = get(&page).await?;
        items.extend(more);
        match metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => page = page.continue_token(&token),
            None => return Ok(items),
        }
    }
}

fn failure(error: &kube::Error, permission: Permission) -> Failure {
    let (cause, text) = match error {
        kube::Error::Api(status) => {
            let cause = match status.code {
                400 => Cause::BadRequest,
                401 => Cause::Unauthorized,
                403 => Cause::Forbidden,
                404 => Cause::NotFound,
                _ => Cause::Other,
            };
            let text = if status.message.is_empty() { status.reason.clone() } else { status.message.clone() };
            (cause, if text.is_empty() { format!("the server answered with code {}", status.code) } else { text })
        }
        kube::Error::SerdeError(inner) => (Cause::Other, format!("the server's answer is not understood: {inner}")),
        other => (Cause::Connect, plain_error(other)),
    };
    Failure { cause, text, permission }
}

/// The innermost words of an error: kube wraps "connection refused" in three layers that say less.
pub(crate) fn plain_error(error: &kube::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
