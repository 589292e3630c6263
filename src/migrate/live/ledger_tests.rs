use super::*;

fn subject() -> Subject {
    Subject {
        id: "x".into(),
        source: ServiceRef::new("shop", "a"),
        target: ServiceRef::new("shop", "b"),
        moves: vec![vec!["192.0.2.10:80/TCP".parse().expect("a key"), "[2001:db8::1]:80/TCP".parse().expect("a key")]],
    }
}

fn wanted() -> Wanted {
    Wanted { source: true, target: true, taker: Side::Target, backends: Vec::new() }
}

fn row(name: &str) -> Option<Followed> {
    Some(Followed { owner: ServiceRef::new("shop", name), done: true, active: true })
}

fn answer(rows: &[Option<Followed>; 2], source: Option<&str>, target: Option<&str>) -> Follow {
    let services = [target, source].map(|mark| mark.map(|mark| BTreeMap::from([(MARK.to_owned(), mark.to_owned())])));
    Follow { keys: rows.to_vec(), services: services.to_vec(), backends: Vec::new() }
}

fn look(ledger: &mut Ledger, follow: &Follow, at: Millis) -> Seen {
    ledger.take(&subject(), &wanted(), follow, at, at + 2)
}

fn state(rows: &[Option<Followed>; 2]) -> KeyState {
    subject().key_state(rows, Side::Target)
}

#[test]
fn keys_of_one_move_count_as_their_worst() {
    let owned = |side, done| KeyState::Owned { side, done, active: done };
    assert_eq!(state(&[row("a"), row("a")]), owned(Side::Source, true));
    assert_eq!(state(&[row("b"), row("b")]), owned(Side::Target, true));
    assert_eq!(state(&[None, None]), KeyState::Absent);
    assert_eq!(state(&[None, row("a")]), owned(Side::Source, false), "not dropped yet");
    assert_eq!(state(&[None, row("b")]), KeyState::Absent, "not served yet");
    assert_eq!(state(&[row("b"), row("a")]), owned(Side::Source, true), "not the taker's yet");
    assert_eq!(state(&[row("b"), row("c")]), KeyState::Other(ServiceRef::new("shop", "c")));
    let half = Some(Followed { owner: ServiceRef::new("shop", "b"), done: false, active: true });
    assert_eq!(state(&[row("b"), half]), KeyState::Owned { side: Side::Target, done: false, active: true });
}

#[test]
fn marks_are_read_by_turn_and_only_ours() {
    let mut ledger = Ledger::default();
    let seen = look(&mut ledger, &answer(&[row("a"), row("a")], Some("x.3"), Some("x.3.2")), 10);
    assert_eq!((seen.source_mark, seen.target_mark, seen.synced), (Some(3), Some(3), true));
    let seen = look(&mut ledger, &answer(&[row("a"), row("a")], Some("other.3"), None), 20);
    assert_eq!((seen.source_mark, seen.target_mark, seen.synced), (None, None, false));
}

#[test]
fn a_deleted_source_needs_no_row() {
    let wanted = Wanted { source: false, ..wanted() };
    let follow = Follow { keys: vec![row("b"), row("b")], services: vec![Some(BTreeMap::new())], backends: Vec::new() };
    assert!(Ledger::default().take(&subject(), &wanted, &follow, 1, 2).synced);
    assert_eq!(subject().watch(&wanted, true).services, [ServiceRef::new("shop", "b")]);
}

#[test]
fn dark_time_is_counted_from_answer_to_answer() {
    let mut ledger = Ledger::default();
    let marks = (Some("x.1"), Some("x.1"));
    let with = |rows: &[Option<Followed>; 2]| answer(rows, marks.0, marks.1);
    assert_eq!(look(&mut ledger, &with(&[row("a"), row("a")]), 0).dark_since, [None]);
    let seen = look(&mut ledger, &with(&[row("a"), None]), 10);
    assert_eq!((seen.dark_since[0], seen.dark_ms[0], seen.since), (Some(10), 0, 10));
    // An agent that has just started shows nothing at all: that says nothing about its datapath.
    let started = Follow { keys: vec![None, None], services: vec![None, None], backends: Vec::new() };
    assert_eq!(look(&mut ledger, &started, 20).dark_since, [Some(10)]);
    let seen = look(&mut ledger, &with(&[row("b"), row("b")]), 510);
    assert_eq!((seen.dark_since[0], seen.dark_ms[0], seen.since), (None, 500, 510));
    look(&mut ledger, &with(&[None, None]), 600);
    assert_eq!(look(&mut ledger, &with(&[row("b"), row("b")]), 700).dark_ms, [600]);
}

#[test]
fn what_a_tick_brings_tells_when_it_was() {
    let mut ledger = Ledger::default();
    look(&mut ledger, &answer(&[row("a"), row("a")], None, None), 100);
    assert_eq!(ledger.tick, None, "the first answer may show something old");
    look(&mut ledger, &answer(&[row("a"), row("a")], Some("x.1"), None), 110);
    assert_eq!(ledger.tick, Some(Tick { from: 100, to: 112 }));
    look(&mut ledger, &answer(&[row("a"), row("a")], Some("x.1"), None), 120);
    let undone = Some(Followed { owner: ServiceRef::new("shop", "a"), done: false, active: false });
    look(&mut ledger, &answer(&[undone, row("a")], Some("x.1"), None), 130);
    assert_eq!(ledger.tick, Some(Tick { from: 100, to: 112 }), "backends and reconcilers have clocks of their own");
    look(&mut ledger, &answer(&[row("b"), row("b")], Some("x.1"), None), 140);
    assert_eq!(ledger.tick, Some(Tick { from: 130, to: 142 }));
    look(&mut ledger, &answer(&[row("b"), row("b")], Some("x.2"), None), 900);
    assert_eq!(ledger.tick, Some(Tick { from: 130, to: 142 }), "it is known better");
}

#[test]
fn backends_count_only_where_the_taker_has_them() {
    let wanted = Wanted { backends: vec!["198.51.100.11:11080/TCP".into()], ..wanted() };
    let mut ledger = Ledger::default();
    let mut follow = answer(&[row("a"), row("a")], Some("x.1"), Some("x.1"));
    follow.backends = vec![vec![ServiceRef::new("shop", "a")]];
    let take = |ledger: &mut Ledger, follow: &Follow, at| ledger.take(&subject(), &wanted, follow, at, at).drain;
    assert!(!take(&mut ledger, &follow, 1));
    follow.backends[0].push(ServiceRef::new("shop", "b"));
    assert!(take(&mut ledger, &follow, 2) && ledger.drained());
    follow.backends.clear();
    assert!(take(&mut ledger, &follow, 3), "seen before, and not asked again");
    ledger.reopen();
    assert!(!take(&mut ledger, &follow, 4), "a new stream has to show it");
}
