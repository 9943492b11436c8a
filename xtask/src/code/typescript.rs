//! TypeScript, as far as lines go.

use super::Lines;

/// The lines of a file.
pub fn lines(text: &str) -> Lines {
    super::count(&blank(text), |_| true)
}

/// What stays of a file when comments are blanked. Regular expressions with a quote in them are not told from
/// divisions; the formatter's line ends bound what that can cost.
fn blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, keep) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), false)
        } else if matches!(first, '"' | '\'' | '`') {
            (quoted(rest, first), true)
        } else {
            (first.len_utf8(), true)
        };
        let (piece, after) = rest.split_at(length);
        match keep {
            true => out.push_str(piece),
            false => out.extend(piece.chars().map(|character| if character == '\n' { '\n' } else { ' ' })),
        }
        rest = after;
    }
    out
}

/// The length of a string, quotes included. Only a template goes over several lines.
fn quoted(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if character == quote {
            return at + 1;
        } else if character == '\n' && quote != '`' {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_no_code() {
        let text =
            "/** A.\n * B. */\nconst a = \"//\"; // c\n\nconst b = `/*\n`; /* d */\n// e\nf(/'/);\ng();\n";
        assert_eq!(lines(text), Lines { plain: 9, code: 5 });
    }
}
