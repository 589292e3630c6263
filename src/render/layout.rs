//! A page with a column of labels: wrapping, alignment, and what must never reach a terminal.

use super::Style;
use super::style::Role;

/// Columns of the label column.
pub(super) const LABEL: usize = 10;

/// Narrower pages are laid out as if they had this many columns.
const NARROWEST: usize = 50;

/// Text under construction.
pub(super) struct Page {
    out: String,
    color: bool,
    width: usize,
}

impl Page {
    /// An empty page.
    pub(super) fn new(style: &Style) -> Self {
        Self { out: String::new(), color: style.color, width: style.width.max(NARROWEST) }
    }

    /// What was written.
    pub(super) fn into_text(self) -> String {
        self.out
    }

    /// Ends a paragraph, if there is one.
    pub(super) fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// A line as it is.
    pub(super) fn line(&mut self, role: Role, text: &str) {
        self.out.push_str(&role.paint(self.color, &clean(text)));
        self.out.push('\n');
    }

    /// The first line of a block: parts two spaces apart, `code` at the right edge. What does not
    /// fit goes to the next line, whole.
    pub(super) fn heading(&mut self, parts: &[(Role, String)], code: &str) {
        let mut column = 0;
        for (role, part) in parts.iter().filter(|(_, part)| !part.is_empty()) {
            let part = clean(part);
            // A name may be longer than the line; then it breaks before its namespace.
            let cut = part.find(" (").filter(|_| columns(&part) > self.width - 2);
            let pieces = cut.map_or(vec![part.as_str()], |at| vec![&part[..at], &part[at + 1..]]);
            for piece in pieces {
                column = self.heading_part(column, *role, piece);
            }
        }
        if !code.is_empty() {
            if column + 2 + columns(code) > self.width {
                self.out.push('\n');
                column = 0;
            }
            self.pad(self.width.saturating_sub(column + columns(code)));
            self.out.push_str(&Role::Faint.paint(self.color, code));
        }
        self.out.push('\n');
    }

    /// Writes one part behind `column` or on a new line; returns the column after it.
    fn heading_part(&mut self, column: usize, role: Role, part: &str) -> usize {
        let mut start = if column == 0 { 0 } else { column + 2 };
        if column > 0 && start + columns(part) > self.width {
            self.out.push('\n');
            start = 2;
            self.pad(start);
        } else {
            self.pad(start - column);
        }
        self.out.push_str(&role.paint(self.color, part));
        start + columns(part)
    }

    /// Lines under a label; without lines there is no label.
    pub(super) fn section(&mut self, label: &str, lines: Vec<String>) {
        for (number, line) in lines.into_iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            let padding = LABEL - columns(label).min(LABEL);
            self.out.push_str(&Role::Label.paint(self.color, label));
            self.pad(padding);
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    fn pad(&mut self, columns: usize) {
        self.out.push_str(&" ".repeat(columns));
    }

    /// Columns beside the labels.
    fn room(&self) -> usize {
        self.width - LABEL
    }

    /// Wrapped text.
    pub(super) fn prose(&self, text: &str) -> Vec<String> {
        wrap(text, self.room())
    }

    /// Wrapped text, indented, in one colour.
    pub(super) fn indented(&self, role: Role, text: &str) -> Vec<String> {
        wrap(text, self.room() - 2).iter().map(|line| format!("  {}", role.paint(self.color, line))).collect()
    }

    /// A command: never wrapped.
    pub(super) fn command(&self, text: &str) -> String {
        Role::Command.paint(self.color, &clean(text))
    }

    /// Wrapped text in a colour with a word at the right edge of its first line.
    pub(super) fn beside_first(&self, role: Role, text: &str, right: &str) -> Vec<String> {
        let left = self.room() - columns(right) - 2;
        let mut lines = wrap(text, left).into_iter();
        let first = lines.next().unwrap_or_default();
        let padding = (self.room() - columns(right)).saturating_sub(columns(&first)).max(2);
        let head = format!(
            "{}{}{}",
            role.paint(self.color, &first),
            " ".repeat(padding),
            Role::Faint.paint(self.color, right)
        );
        std::iter::once(head).chain(lines.map(|line| role.paint(self.color, &line))).collect()
    }

    /// Wrapped text with small print at the right edge of its last line, or below it.
    pub(super) fn beside_last(&self, text: &str, right: &str) -> Vec<String> {
        let right = clean(right);
        let mut lines = wrap(text, self.room());
        if right.is_empty() {
            return lines;
        }
        let taken = lines.last().map_or(0, |line| columns(line));
        let fits = taken + 2 + columns(&right) <= self.room();
        let last = if fits { lines.pop().unwrap_or_default() } else { String::new() };
        let padding = self.room().saturating_sub(columns(&last) + columns(&right));
        lines.push(format!("{last}{}{}", " ".repeat(padding), Role::Faint.paint(self.color, &right)));
        lines
    }

    /// A row of short columns with text after them that wraps under itself.
    pub(super) fn columns_then(&self, cells: &[(Role, &str, usize)], text: &str) -> Vec<String> {
        let mut head = String::new();
        for (role, cell, wide) in cells {
            head.push_str(&role.paint(self.color, cell));
            head.push_str(&" ".repeat(wide.saturating_sub(columns(cell))));
        }
        let indent: usize = cells.iter().map(|(_, _, wide)| wide).sum();
        let lines = wrap(text, self.room().saturating_sub(indent));
        if lines.is_empty() {
            return vec![head.trim_end().to_owned()];
        }
        let indents = std::iter::once(head).chain(std::iter::repeat(" ".repeat(indent)));
        indents.zip(lines).map(|(indent, line)| format!("{indent}{line}")).collect()
    }
}

/// Columns of a text without colours.
pub(super) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// The text with control characters made visible: messages come from the cluster, and an escape
/// sequence in an annotation must not reach the terminal. Line ends stay.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Breaks text between words. A word is never cut, nor is a command in backquotes; either may be
/// longer than the line. Line ends of the text stay.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in clean(text).lines() {
        let mut line = String::new();
        for word in words(paragraph) {
            if !line.is_empty() && columns(&line) + 1 + columns(word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// Splits at spaces outside of backquotes.
fn words(text: &str) -> Vec<&str> {
    let mut quoted = false;
    // A lone backquote quotes nothing.
    let pairs = text.matches('`').count().is_multiple_of(2);
    let words = text.split(|c: char| {
        quoted ^= c == '`' && pairs;
        c.is_whitespace() && !quoted
    });
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quoted_commands_stay_whole() {
        let address = "[2001:db8:1234:5678:9abc:def0:1234:5678]:443/TCP";
        let lines = wrap(&format!("port {address} is free, see `kubectl get svc -n shop` now"), 20);
        assert_eq!(lines, ["port", address, "is free, see", "`kubectl get svc -n shop`", "now"]);
        assert_eq!(wrap("it`s a b", 4), ["it`s", "a b"]);
    }

    #[test]
    fn escape_bytes_from_the_cluster_are_shown_not_sent() {
        assert_eq!(clean("a\u{1b}[31mb\tc\nd"), "a\\u{1b}[31mb\\tc\nd");
        assert_eq!(wrap("first\nsecond line", 80), ["first", "second line"]);
    }
}
