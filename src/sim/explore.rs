//! Walks through every state that can be reached, and finds those from which no good end can be.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use super::faults::{Setting, Step};
use super::properties::{self, Broken};
use super::world::Model;

/// What a walk found.
pub struct Explored {
    pub states: usize,
    pub steps: usize,
    pub ends: usize,
    /// The properties that do not hold, and for each the shortest way there.
    pub found: BTreeMap<&'static str, Found>,
}

/// How a property is broken, and the way there.
pub struct Found {
    pub how: String,
    pub trace: Vec<String>,
}

struct Edge {
    from: u32,
    to: u32,
    write: bool,
}

struct Walk<'a> {
    setting: &'a Setting,
    states: Vec<Model>,
    /// Where each state was first come from, and how.
    parents: Vec<(u32, Step)>,
    fair: Vec<Edge>,
    steps: usize,
    found: BTreeMap<&'static str, Found>,
}

/// Breadth first, so that what is found first is found by the shortest way.
pub fn explore(setting: &Setting) -> Explored {
    let start = setting.start().tidy(true);
    let mut known: HashMap<Model, u32, BuildHasherDefault<Quick>> = HashMap::default();
    known.insert(start.clone(), 0);
    let mut walk = Walk {
        setting,
        states: vec![start],
        parents: vec![(0, Step::Start)],
        fair: Vec::new(),
        steps: 0,
        found: BTreeMap::new(),
    };
    let mut at = 0;
    while at < walk.states.len() {
        let from = index(at);
        for next in setting.next(&walk.states[at]) {
            walk.steps += 1;
            if let Some(broken) = next.broken {
                walk.note(broken, at, format!("{:?}\n    {}", next.step, next.model));
            }
            let to = match known.entry(next.model) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    walk.states.push(entry.key().clone());
                    walk.parents.push((from, next.step));
                    *entry.insert(index(walk.states.len() - 1))
                }
            };
            if next.fair && to != from {
                walk.fair.push(Edge { from, to, write: next.write });
            }
        }
        at += 1;
    }
    walk.hopeless();
    walk.endless();
    let good = |model: &&Model| properties::good(&setting.shape, model);
    Explored {
        states: walk.states.len(),
        steps: walk.steps,
        ends: walk.states.iter().filter(good).count(),
        found: walk.found,
    }
}

impl Walk<'_> {
    /// Only the first time is told: nothing is nearer to the start.
    fn note(&mut self, broken: Broken, at: usize, then: String) {
        if !self.found.contains_key(broken.property) {
            let trace = self.trace(at).into_iter().chain([then]).collect();
            self.found.insert(broken.property, Found { how: broken.how, trace });
        }
    }

    fn trace(&self, mut at: usize) -> Vec<String> {
        let mut trace = Vec::new();
        loop {
            let (parent, step) = &self.parents[at];
            trace.push(format!("{step:?}\n    {}", self.states[at]));
            if at == 0 {
                trace.reverse();
                return trace;
            }
            at = *parent as usize;
        }
    }

    /// L1: from every state, without further faults, a good end can be reached. Backwards from the good ends.
    fn hopeless(&mut self) {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for edge in &self.fair {
            before[edge.to as usize].push(edge.from);
        }
        let good = |at: &usize| properties::good(&self.setting.shape, &self.states[*at]);
        let mut todo: Vec<usize> = (0..self.states.len()).filter(good).collect();
        let mut hope = vec![false; self.states.len()];
        todo.iter().for_each(|at| hope[*at] = true);
        while let Some(at) = todo.pop() {
            for from in &before[at] {
                if !std::mem::replace(&mut hope[*from as usize], true) {
                    todo.push(*from as usize);
                }
            }
        }
        // What somebody else did may need somebody else to undo it; so may what comes after an end was told.
        let stuck = |at: &usize| {
            let model = &self.states[*at];
            !hope[*at]
                && !model.meddled
                && (model.journal.finished.is_none() || model.runners.iter().any(Option::is_some))
        };
        if let Some(at) = (0..self.states.len()).find(stuck) {
            let broken = Broken { property: "L1", how: "no good end can be reached any more".into() };
            self.note(broken, at, String::new());
        }
    }

    /// L2: without faults and without being started again, nothing is written over and over: taking away all
    /// states without a step to another leaves only circles, and none of them may contain a write.
    fn endless(&mut self) {
        let circle = circles(self.states.len(), &self.fair);
        let edge = self.fair.iter().find(|edge| {
            let (from, to) = (edge.from as usize, edge.to as usize);
            edge.write && circle[from] == circle[to]
        });
        let Some(at) = edge.map(|edge| edge.to as usize) else { return };
        let broken = Broken { property: "L2", how: "writes the same over and over".into() };
        self.note(broken, at, String::new());
    }
}

/// For each state, the strongly connected component that it is in (Tarjan's way, without recursion).
fn circles(states: usize, edges: &[Edge]) -> Vec<u32> {
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); states];
    for edge in edges {
        after[edge.from as usize].push(edge.to);
    }
    const NONE: u32 = u32::MAX;
    let (mut order, mut low, mut circle) = (vec![NONE; states], vec![NONE; states], vec![NONE; states]);
    let (mut stack, mut clock) = (Vec::new(), 0);
    for root in 0..states {
        if order[root] != NONE {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((at, child)) = path.last_mut() {
            let at = *at;
            if *child == 0 {
                (order[at], low[at]) = (clock, clock);
                clock += 1;
                stack.push(at);
            }
            if let Some(to) = after[at].get(*child) {
                let to = *to as usize;
                *child += 1;
                if order[to] == NONE {
                    path.push((to, 0));
                } else if circle[to] == NONE {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == order[at] {
                while let Some(member) = stack.pop() {
                    circle[member] = index(at);
                    if member == at {
                        break;
                    }
                }
            }
        }
    }
    circle
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 4 billion states")
}

/// A quick hash: nobody chooses these keys to harm us.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}
