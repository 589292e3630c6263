//! What is seen while something is waited for: a line on a terminal, timing notes with `-v`.

use std::cell::RefCell;
use std::io::IsTerminal as _;
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print;
use crate::observe::Event;

/// Work that is done sooner shows nothing.
const QUIET: Duration = Duration::from_millis(500);
const BEAT: Duration = Duration::from_millis(120);

/// Hears the source's events.
#[derive(Clone)]
pub(super) struct Progress {
    inner: Rc<RefCell<Inner>>,
}

struct Inner {
    begin: Instant,
    notes: bool,
    bar: Option<ProgressBar>,
    asked: usize,
    answered: usize,
}

impl Progress {
    /// Begins; `notes` prints a line for each event.
    pub fn begin(notes: bool) -> Self {
        let shown = std::io::stderr().is_terminal();
        let bar = shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.with_style(ProgressStyle::default_spinner())
        });
        let inner = Inner { begin: Instant::now(), notes, bar, asked: 0, answered: 0 };
        Self { inner: Rc::new(RefCell::new(inner)) }
    }

    /// The listener to give to a source.
    pub fn listener(&self) -> Box<dyn Fn(Event)> {
        let this = self.clone();
        Box::new(move |event| this.hear(&event))
    }

    fn hear(&self, event: &Event) {
        let mut inner = self.inner.borrow_mut();
        match event {
            Event::Asking { nodes } => inner.asked = *nodes,
            Event::Node { .. } => inner.answered += 1,
            Event::Read { .. } | Event::Note(_) => {}
        }
        if inner.notes
            && let Some(line) = line(event)
        {
            match &inner.bar {
                Some(bar) => bar.suspend(|| print::err(&line)),
                None => print::err(&line),
            }
        }
    }

    /// Waits for work, and shows after a while that it goes on.
    pub async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let result = loop {
            tokio::select! {
                biased;
                result = &mut work => break result,
                () = tokio::time::sleep(BEAT) => self.beat(),
            }
        };
        let inner = self.inner.borrow();
        if let Some(bar) = &inner.bar {
            bar.finish_and_clear();
        }
        if inner.notes {
            print::err(&format!("total: {} ms\n", inner.begin.elapsed().as_millis()));
        }
        result
    }

    fn beat(&self) {
        let inner = self.inner.borrow();
        let Some(bar) = inner.bar.as_ref().filter(|_| inner.begin.elapsed() >= QUIET) else { return };
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_message(match inner.asked {
            0 => "reading the cluster".to_owned(),
            asked => format!("{} of {asked} agents answered", inner.answered),
        });
        bar.tick();
    }
}

fn line(event: &Event) -> Option<String> {
    let ended = |trouble: &Option<String>| trouble.as_ref().map(|t| format!(", failed: {t}")).unwrap_or_default();
    Some(match event {
        Event::Read { what, took, trouble } => format!("{what}: {} ms{}\n", took.as_millis(), ended(trouble)),
        Event::Node { node, took, bytes, trouble } => {
            format!("{node}: exec {} ms, {bytes} bytes{}\n", took.as_millis(), ended(trouble))
        }
        Event::Note(text) => format!("{text}\n"),
        Event::Asking { .. } => return None,
    })
}
