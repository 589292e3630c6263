//! Journals in the cluster: create to lock, compare-and-swap to go on.

use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kube::api::Preconditions;
use serde_json::Value;

use super::call::{Caller, Failure, Mode};
use crate::migrate::cluster::{LookError, Outcome};
use crate::migrate::intent::Intent;
use crate::migrate::journal::{Journal, Runner, SELECTOR, Unreadable, name_of};

/// A heartbeat that is older than this is renewed.
const BEAT: SignedDuration = SignedDuration::from_secs(5);

/// Journals of a cluster, for one runner.
#[derive(Clone)]
pub struct Store {
    caller: Caller,
    me: Runner,
}

/// Why a journal could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else's is in the way.
    #[error("{0}")]
    Taken(String),
    /// There is none.
    #[error("{0}")]
    Missing(String),
    /// It is there and cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The API server refused, or did not answer.
    #[error("{0}")]
    Failed(String),
}

/// Every journal that was found, and what could not be read as one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// Journals, by namespace and name.
    pub journals: Vec<Journal>,
    /// Why others are none.
    pub unreadable: Vec<String>,
}

fn path(namespace: &str) -> String {
    format!("/api/v1/namespaces/{namespace}/configmaps")
}

fn failed(failure: Failure) -> StoreError {
    match failure {
        Failure::Missing(text) => StoreError::Missing(text),
        Failure::Conflict(text) => StoreError::Taken(text),
        other => StoreError::Failed(other.text()),
    }
}

impl Store {
    /// `deadline` is that of each request.
    #[must_use]
    pub fn new(client: kube::Client, deadline: Duration, me: Runner) -> Self {
        Self { caller: Caller { client, deadline }, me }
    }

    /// Makes the journal, which is the lock. A finished one of the same name is written over.
    ///
    /// # Errors
    /// [`StoreError::Taken`] where a migration of the same port, or of one of the two Services, is not finished.
    pub async fn create(&self, intent: &Intent) -> Result<Journal, StoreError> {
        let journal = Journal::new(intent.clone(), self.me.clone(), Timestamp::now());
        let answer = self.caller.create(&path(&journal.namespace), &journal.config_map(), Mode::Real).await;
        if let Err(Failure::Conflict(_)) = answer {
            return self.replace_finished(journal).await;
        }
        let made = self.made(&journal, answer).await?;
        // Of two in one second, as the API dates them, one has to give way, whatever they are called.
        let age = |journal: &Journal| (journal.created, journal.name.clone(), journal.namespace.clone());
        let free = self.free(&made, |other| age(other) < age(&made)).await;
        if free.is_err() {
            self.delete(&made).await?;
        }
        free.map(|()| made)
    }

    /// Begins anew in a finished journal, or leaves it as it is: it knows how to undo what was done. It counts
    /// as younger than any other, for its date tells nothing of when this migration began.
    async fn replace_finished(&self, journal: Journal) -> Result<Journal, StoreError> {
        let there = self.load(&journal.namespace, &journal.intent.id).await?;
        if there.finished.is_none() {
            return Err(in_the_way(&there));
        }
        let next = Journal { uid: there.uid.clone(), resource_version: there.resource_version.clone(), ..journal };
        let object = self.caller.replace(&path(&next.namespace), &next.name, &next.config_map()).await;
        let made = self.made(&next, object).await?;
        let free = self.free(&made, |_| true).await;
        if free.is_err() {
            self.write(&Journal { resource_version: made.resource_version.clone(), ..there }).await.map_err(failed)?;
        }
        free.map(|()| made)
    }

    /// What came of making a journal; where there was no answer, it is looked up.
    async fn made(&self, journal: &Journal, answer: Result<Value, Failure>) -> Result<Journal, StoreError> {
        let text = match answer {
            Ok(object) => return Ok(Journal::read(&object)?),
            Err(Failure::Unknown(text)) => text,
            Err(failure) => return Err(failed(failure)),
        };
        match self.load(&journal.namespace, &journal.intent.id).await {
            Ok(there) if (&there.runner, there.heartbeat) == (&journal.runner, journal.heartbeat) => Ok(there),
            Ok(there) if there.finished.is_none() => Err(in_the_way(&there)),
            Ok(_) | Err(_) => Err(StoreError::Failed(format!(
                "failed to write the journal, configmap {}/{}: {text}. Nothing else was written; should the journal \
                 turn up after all, `kubectl vipctl migrate abandon {} -n {}` removes it",
                journal.namespace, journal.name, journal.intent.id, journal.namespace
            ))),
        }
    }

    /// Whether no unfinished journal about one of the same Services, of those that count, is there as well.
    async fn free(&self, made: &Journal, counts: impl Fn(&Journal) -> bool) -> Result<(), StoreError> {
        let pair = |intent: &Intent| [intent.source.service.clone(), intent.target.service.clone()];
        let ours = pair(&made.intent);
        let mut namespaces: Vec<&str> = ours.iter().map(|service| &*service.namespace).collect();
        namespaces.dedup();
        let in_the_way_of = |other: &Journal| {
            other.uid != made.uid
                && other.finished.is_none()
                && pair(&other.intent).iter().any(|service| ours.contains(service))
                && counts(other)
        };
        for namespace in namespaces {
            let others = self.list(Some(namespace)).await?.journals;
            if let Some(other) = others.iter().find(|other| in_the_way_of(other)) {
                return Err(in_the_way(other));
            }
        }
        Ok(())
    }

    /// Reads one.
    ///
    /// # Errors
    /// Where it is not there, cannot be read, or the API server does not answer.
    pub async fn load(&self, namespace: &str, id: &str) -> Result<Journal, StoreError> {
        let found = self.caller.get(&path(namespace), &name_of(id)).await.map_err(failed)?;
        let missing = || StoreError::Missing(format!("there is no migration {id} in namespace {namespace}"));
        Ok(Journal::read(&found.ok_or_else(missing)?)?)
    }

    /// Lists those of a namespace, or of all.
    ///
    /// # Errors
    /// Where the API server refuses or does not answer.
    pub async fn list(&self, namespace: Option<&str>) -> Result<Listed, StoreError> {
        let path = namespace.map_or_else(|| "/api/v1/configmaps".to_owned(), path);
        let objects: Vec<Value> = self.caller.list(&path, SELECTOR).await.map_err(failed)?;
        let mut listed = Listed::default();
        for object in objects {
            match Journal::read(&object) {
                Ok(journal) => listed.journals.push(journal),
                Err(error) => listed.unreadable.push(error.to_string()),
            }
        }
        Ok(listed)
    }

    /// Makes this run the journal's runner, in a new turn.
    ///
    /// # Errors
    /// [`StoreError::Taken`] where somebody else wrote it meanwhile.
    pub async fn take(&self, journal: &Journal, intent: Intent) -> Result<Journal, StoreError> {
        let turn = journal.intent.turn + 1;
        let taken = Journal {
            intent: Intent { turn, ..intent },
            runner: Some(self.me.clone()),
            heartbeat: Some(Timestamp::now()),
            finished: None,
            note: None,
            ..journal.clone()
        };
        self.write(&taken).await.map_err(failed)
    }

    async fn write(&self, journal: &Journal) -> Result<Journal, Failure> {
        let object = self.caller.replace(&path(&journal.namespace), &journal.name, &journal.config_map()).await?;
        Journal::read(&object).map_err(|error| Failure::Unknown(error.to_string()))
    }

    /// Looks whether the journal is still this run's, without writing.
    ///
    /// # Errors
    /// [`LookError::LostLock`] where somebody took it over, or it is gone.
    pub async fn check(&self, journal: &Journal) -> Result<(), LookError> {
        match self.load(&journal.namespace, &journal.intent.id).await {
            Ok(there) if (&there.uid, &there.intent) == (&journal.uid, &journal.intent) => Ok(()),
            Ok(there) => Err(LookError::LostLock(in_the_way(&there).to_string())),
            Err(StoreError::Missing(text)) => Err(LookError::LostLock(text)),
            Err(error) => Err(LookError::Unreachable(error.to_string())),
        }
    }

    /// Writes over the journal as this run left it. A write whose answer was lost may have been done: then
    /// the journal says what was asked for, or it still is as it was but for its resourceVersion. Whoever
    /// takes it over writes another turn, so neither is true of theirs.
    async fn rewrite(&self, journal: &mut Journal, next: Journal) -> Result<(), Failure> {
        *journal = match self.write(&next).await {
            Err(Failure::Conflict(text)) => {
                let there = self.load(&journal.namespace, &journal.intent.id).await;
                let same = |there: &Journal, as_in: &Journal| {
                    (&there.uid, &there.intent, &there.runner, &there.finished)
                        == (&as_in.uid, &as_in.intent, &as_in.runner, &as_in.finished)
                };
                match there {
                    Ok(there) if same(&there, &next) => there,
                    Ok(there) if same(&there, journal) => {
                        let resource_version = there.resource_version;
                        self.write(&Journal { resource_version, ..next }).await?
                    }
                    Ok(_) | Err(StoreError::Missing(_)) => return Err(Failure::Conflict(text)),
                    Err(error) => return Err(Failure::Unknown(error.to_string())),
                }
            }
            written => written?,
        };
        Ok(())
    }

    /// Writes the intent, if the journal is still as this run left it.
    pub async fn save(&self, journal: &mut Journal, intent: &Intent) -> Outcome {
        let next = Journal { intent: intent.clone(), heartbeat: Some(Timestamp::now()), ..journal.clone() };
        self.rewrite(journal, next).await.map_or_else(Failure::outcome, |()| Outcome::Done)
    }

    /// Renews the heartbeat where it is old.
    ///
    /// # Errors
    /// [`LookError::LostLock`] where the journal is somebody else's by now, or gone.
    pub async fn beat(&self, journal: &mut Journal) -> Result<(), LookError> {
        let now = Timestamp::now();
        if journal.heartbeat.is_some_and(|at| now.duration_since(at) < BEAT) {
            return Ok(());
        }
        let intent = journal.intent.clone();
        match self.save(journal, &intent).await {
            Outcome::Done => Ok(()),
            Outcome::Conflict(text) => Err(LookError::LostLock(text)),
            Outcome::Refused(text) | Outcome::Unknown(text) => Err(LookError::Unreachable(text)),
        }
    }

    /// Leaves it to whoever resumes.
    ///
    /// # Errors
    /// Where it could not be written.
    pub async fn leave(&self, journal: &mut Journal, note: &str) -> Result<(), StoreError> {
        let next = Journal { runner: None, note: Some(note.to_owned()), ..journal.clone() };
        self.rewrite(journal, next).await.map_err(failed)
    }

    /// Says how it ended.
    ///
    /// # Errors
    /// Where it could not be written.
    pub async fn finish(&self, journal: &mut Journal, outcome: &str) -> Result<(), StoreError> {
        let next = Journal { runner: None, note: None, finished: Some(outcome.to_owned()), ..journal.clone() };
        self.rewrite(journal, next).await.map_err(failed)
    }

    /// Removes it.
    ///
    /// # Errors
    /// Where it could not be removed.
    pub async fn delete(&self, journal: &Journal) -> Result<(), StoreError> {
        let only = Preconditions { uid: Some(journal.uid.clone()), resource_version: None };
        match self.caller.delete(&path(&journal.namespace), &journal.name, only, Mode::Real).await {
            Ok(_) | Err(Failure::Missing(_)) => Ok(()),
            Err(failure) => Err(failed(failure)),
        }
    }

    /// Whether a runner was a process of this host that is not there any more.
    #[must_use]
    pub fn is_dead_here(&self, runner: &Runner) -> bool {
        if runner.host != self.me.host || !Path::new("/proc/self").exists() {
            return false;
        }
        // `PID (NAME) STATE …`; one that was killed and not waited for yet is a zombie.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", runner.pid));
        stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
    }
}

fn in_the_way(other: &Journal) -> StoreError {
    let who = other.runner.as_ref().map_or_else(|| "stopped".to_owned(), |runner| format!("run by {runner}"));
    StoreError::Taken(format!("migration {} in namespace {} is not finished ({who})", other.intent.id, other.namespace))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
