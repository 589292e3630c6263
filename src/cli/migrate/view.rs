//! What is seen of a run while it goes on: a live table on a terminal, else a line for each event.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::print;
use crate::migrate::executor::Event;
use crate::migrate::intent::{Intent, Moves, Side};
use crate::migrate::machine::{Effect, Waiting};
use crate::migrate::report::{StepReport, dark};
use crate::migrate::words;
use crate::migrate::world::{KeyState, Millis, SpecState, World};
use crate::render::Style;
use crate::render::migration::{Frame, frame, offset};

/// Redraws in a second, at most.
const HERTZ: u8 = 10;

/// Where it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// A table that is redrawn, on standard error.
    Table,
    /// A line for each event, on standard error.
    Lines,
    /// Nowhere.
    Nothing,
}

impl Show {
    /// Where it is shown for an answer that people, or programs, read.
    pub fn choose(for_people: bool, notes: bool) -> Self {
        match (for_people, std::io::stderr().is_terminal()) {
            (true, true) => Self::Table,
            (true, false) => Self::Lines,
            (false, _) if notes => Self::Lines,
            (false, _) => Self::Nothing,
        }
    }
}

/// Hears the run's events.
pub(super) struct View {
    intent: Intent,
    show: Show,
    style: Style,
    bar: Option<ProgressBar>,
    begin: Instant,
    /// When the run began, by its own clock; none before the first look.
    zero: Option<Millis>,
    world: Option<(World, Instant)>,
    waiting: Option<Waiting>,
    /// The last thing of which a line said that it is waited for.
    told: Option<Waiting>,
    /// What was done, or begun, last.
    pub last: String,
    trouble: String,
    owners: BTreeMap<(String, usize), KeyState>,
    steps: Vec<StepReport>,
}

impl View {
    pub fn new(intent: &Intent, show: Show, style: Style) -> Self {
        let bar = (show == Show::Table).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HERTZ));
            let plain = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
            bar.with_style(plain)
        });
        Self {
            intent: intent.clone(),
            show,
            style,
            bar,
            begin: Instant::now(),
            zero: None,
            world: None,
            waiting: None,
            told: None,
            last: "looking".to_owned(),
            trouble: String::new(),
            owners: BTreeMap::new(),
            steps: Vec::new(),
        }
    }

    /// Takes an event in.
    pub fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Seen { world, waiting } => self.seen(world, *waiting),
            Event::Doing(effect) => self.last = words::effect(&self.intent, effect, &self.held(effect)),
            Event::Did(step) => {
                let begin = self.zero.unwrap_or(step.at);
                let done = StepReport::of(&self.intent, step, &self.held(&step.effect), begin);
                self.say(&format!("{}: {}", done.what, words::outcome(&step.outcome)));
                self.steps.push(done);
            }
            Event::Turned(why) => {
                self.note(&format!("going back: {}", words::stop(&self.intent, why)));
                self.intent = self.intent.reversed();
                self.told = None;
            }
            Event::Trouble(text) if *text != self.trouble => {
                self.trouble = (*text).to_owned();
                self.note(&format!("the API server does not answer: {text}"));
            }
            Event::Trouble(_) => {}
        }
    }

    fn seen(&mut self, world: &World, waiting: Option<&Waiting>) {
        if self.zero.is_none() {
            (self.zero, self.begin) = (Some(world.now), Instant::now());
        }
        self.trouble.clear();
        if self.show == Show::Lines {
            self.tell_nodes(world);
            if let Some(new) = waiting.filter(|new| self.told.as_ref().is_none_or(|old| !alike(old, new))) {
                self.told = Some(new.clone());
                self.say(&format!("waiting for {}", words::waiting(&self.intent, new)));
            }
        }
        self.waiting = waiting.cloned();
        self.world = Some((world.clone(), Instant::now()));
    }

    /// A line for each port that changed hands on a node.
    fn tell_nodes(&mut self, world: &World) {
        let mut lines = Vec::new();
        for node in &world.nodes {
            let keys = node.seen.as_ref().map(|seen| &*seen.keys).unwrap_or_default();
            for (mv, key) in keys.iter().enumerate() {
                let old = self.owners.insert((node.name.clone(), mv), key.clone());
                if old.is_some_and(|old| old != *key) {
                    let after = dark(node, mv, world.now).filter(|ms| *ms > 0 && *key != KeyState::Absent);
                    let after = after.map(|ms| format!(", dark for {}", words::duration(ms))).unwrap_or_default();
                    let (port, owner) = (words::port(&self.intent, mv), words::owner(&self.intent, key));
                    lines.push(format!("{}: {port} belongs to {owner}{after}", node.name));
                }
            }
        }
        for line in lines {
            self.say(&line);
        }
    }

    /// What the Service of an effect claimed at the last look.
    fn held(&self, effect: &Effect) -> Moves {
        let side = match effect {
            Effect::Hold { side, .. } => *side,
            _ => Side::Source,
        };
        match self.world.as_ref().map(|(world, _)| &world.spec(side).state) {
            Some(SpecState::Claims(moves)) => moves.clone(),
            _ => Moves::new(),
        }
    }

    /// A line for an event; the table shows by itself what happens.
    fn say(&mut self, text: &str) {
        self.last = text.to_owned();
        if self.show == Show::Lines {
            print::err(&self.line(text));
        }
    }

    /// Tells something that the table does not show; not where only programs read.
    pub fn note(&mut self, text: &str) {
        match (self.show, &self.bar) {
            (Show::Table, Some(bar)) => bar.suspend(|| print::err(&self.line(text))),
            _ => self.say(text),
        }
    }

    fn line(&self, text: &str) -> String {
        format!("{:>8}  {text}\n", offset(self.elapsed()))
    }

    fn elapsed(&self) -> Millis {
        u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Draws the table anew.
    pub fn draw(&self) {
        let (Some(bar), Some((world, at))) = (&self.bar, &self.world) else { return };
        let now = Frame {
            intent: &self.intent,
            world,
            waiting: self.waiting.as_ref(),
            last: &self.last,
            elapsed: self.elapsed(),
            since_look: u64::try_from(at.elapsed().as_millis()).unwrap_or(0),
        };
        bar.set_message(frame(&now, &self.style));
        bar.tick();
    }

    /// The intent and the world as last heard.
    pub fn seen_last(&self) -> (Intent, Option<World>) {
        (self.intent.clone(), self.world.as_ref().map(|(world, _)| world.clone()))
    }

    /// Takes the table away and gives what was done.
    pub fn end(self) -> Vec<StepReport> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.steps
    }
}

/// Whether the same is waited for, be it on other nodes or for another time: nodes have lines of their own.
fn alike(old: &Waiting, new: &Waiting) -> bool {
    let about = |waiting: &Waiting| match waiting {
        Waiting::Dropped { mv, .. } | Waiting::Programmed { mv, .. } => Some(*mv),
        _ => None,
    };
    std::mem::discriminant(old) == std::mem::discriminant(new) && about(old) == about(new)
}
