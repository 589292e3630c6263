//! Names that may have been meant.

/// The names nearest to the one that was typed, the nearest first, at most three.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // A third of the letters may be wrong; more is another name.
    let most = (typed.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let close = distance(typed, name);
            // One or two letters are in every other name.
            let part = typed.len().min(name.len()) > 2 && (name.contains(typed) || typed.contains(name));
            (close <= most || part).then_some((close, name))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_find_their_name() {
        let names = ["web", "web-tls", "api", "registry"];
        let near = |typed| nearest(typed, names.iter().copied());
        assert_eq!(near("wbe")[0], "web", "swapped letters");
        assert_eq!(near("regsitry"), ["registry"]);
        assert_eq!(near("web-tl")[0], "web-tls");
        assert!(near("database").is_empty());
        assert!(near("").is_empty());
        assert_eq!(near("reg"), ["registry"]);
        assert!(near("eb").iter().all(|name| *name != "web-tls"), "two letters are no part of a name");
    }
}
