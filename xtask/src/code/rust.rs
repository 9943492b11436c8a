//! Rust, as far as lines and names go: where comments, strings and tests are.

use std::ops::Range;

use super::Lines;

/// What stays of a file when comments are blanked; strings too, if they are not wanted. Every byte that goes becomes
/// a space, so that what is left stands where it stood.
pub fn blank(text: &str, strings: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut erase = |range: Range<usize>| {
        for byte in &mut out[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            let end = at + line_end(rest);
            erase(at..end);
            end
        } else if rest.starts_with(b"/*") {
            let end = at + block_end(rest);
            erase(at..end);
            end
        } else if let Some(length) = literal(bytes, at) {
            if strings {
                // The quotes stay: what is between them is no code.
                erase((at + 1).min(at + length)..at + length.max(2) - 1);
            }
            at + length
        } else {
            at + 1
        };
        at = end;
    }
    String::from_utf8(out).expect("whole characters are blanked")
}

/// The lines of a file that are no tests.
pub fn lines(text: &str) -> Lines {
    let tests = tests(text);
    super::count(&blank(text, false), |line| !tests.iter().any(|range| range.contains(&line)))
}

/// A file without its tests and comments, with its strings emptied: what is left is what the compiler takes names from.
pub fn names(text: &str) -> String {
    let tests = tests(text);
    let mut out = String::with_capacity(text.len());
    for (number, line) in blank(text, true).lines().enumerate() {
        if !tests.iter().any(|range| range.contains(&number)) {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// How what is compiled for tests only begins.
const ATTRIBUTES: [&str; 2] = ["#[cfg(test)]", "#[cfg(all(test,"];

/// The lines (from 0) of the items that are compiled for tests only.
pub fn tests(text: &str) -> Vec<Range<usize>> {
    let blanked = blank(text, true);
    let mut found = Vec::new();
    for attribute in ATTRIBUTES {
        for (at, _) in blanked.match_indices(attribute) {
            let end = item_end(&blanked.as_bytes()[at..]) + at;
            let line = |at: usize| blanked[..at].matches('\n').count();
            found.push(line(at)..line(end) + 1);
        }
    }
    found
}

/// The files, told by their paths below the crate, that are compiled for tests only: `mod name;` under such an attribute.
pub fn test_modules(path: &str, text: &str) -> Vec<String> {
    let blanked = blank(text, true);
    let folder = match path.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder,
        _ => path.trim_end_matches(".rs"),
    };
    let found = ATTRIBUTES.iter().flat_map(|attribute| blanked.match_indices(attribute));
    let declared = found.filter_map(|(at, _)| {
        let (_, item) = blanked[at..].split_once(")]")?;
        let item = item.trim_start();
        let (name, _) = item.strip_prefix("mod ")?.split_once(';')?;
        (!name.contains('{')).then(|| name.trim().to_owned())
    });
    declared.flat_map(|name| [format!("{folder}/{name}.rs"), format!("{folder}/{name}/")]).collect()
}

/// Where the item at the start ends: after the bracket that closes its body, or its semicolon.
fn item_end(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && *byte == b'}' {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn line_end(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len())
}

/// Block comments nest.
fn block_end(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => {
                (at, depth) = (at + 2, depth - 1);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of the string or character at `at`, prefix and quotes included; `None` if none begins there.
fn literal(text: &[u8], at: usize) -> Option<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let rest = &text[at..];
    if at > 0 && is_word(text[at - 1]) && rest[0] != b'"' && rest[0] != b'\'' {
        return None;
    }
    let prefix = rest.iter().take_while(|byte| matches!(byte, b'b' | b'r' | b'c')).count();
    let raw = rest[..prefix].contains(&b'r');
    let after = &rest[prefix..];
    let hashes = after.iter().take_while(|byte| **byte == b'#').count();
    match after.get(if raw { hashes } else { 0 })? {
        b'"' if raw => {
            let start = prefix + hashes + 1;
            let close: Vec<u8> = [b'"'].into_iter().chain(vec![b'#'; hashes]).collect();
            let end = rest[start..].windows(close.len()).position(|window| window == close);
            Some(end.map_or(rest.len(), |end| start + end + close.len()))
        }
        b'"' => Some(prefix + quoted(after, b'"')),
        // A lifetime is a quote without its second.
        b'\'' if prefix <= 1 => {
            let content = std::str::from_utf8(&after[1..]).ok()?;
            let mut characters = content.chars();
            let first = characters.next()?;
            let is_character = first == '\\' || characters.next() == Some('\'');
            is_character.then(|| prefix + quoted(after, b'\''))
        }
        _ => None,
    }
}

/// The length of a literal with escapes, quotes included.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_everything_else_stays_where_it_was() {
        for (text, expected) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"a("// no", '"', b'\'', "\"//") // x"#, r#"a("// no", '"', b'\'', "\"//")     "#),
            ("r#\"a\" // b\"# // c", "r#\"a\" // b\"#     "),
            ("fn f<'a>(x: &'a str) {} // '", "fn f<'a>(x: &'a str) {}     "),
            ("bar\"// s\" // t", "bar\"// s\"     "),
            ("/// a\n//! b\nc", "     \n     \nc"),
        ] {
            assert_eq!(blank(text, false), expected, "{text}");
        }
        assert_eq!(
            blank("f(\"use crate::a\", 'x', \"\", \"ß\")", true),
            "f(\"            \", ' ', \"\", \"  \")"
        );
    }

    #[test]
    fn tests_are_left_out_to_the_end_of_their_item() {
        let text = "\
use a;

/// One.
fn one() {} // and one
#[cfg(test)]
use b;
#[cfg(test)]
#[expect(dead_code)]
mod tests {
    fn inner() { \"}\"; }
}
fn two() {}
";
        assert_eq!(lines(text), Lines { plain: 5, code: 3 });
        assert_eq!(names(text).split_whitespace().collect::<String>(), "usea;fnone(){}fntwo(){}");
    }

    #[test]
    fn a_module_file_for_tests_is_told_by_its_declaration() {
        let text = "mod a;\n#[cfg(all(test, feature = \"x\"))]\nmod cases;\n#[cfg(test)]\nmod tests { }";
        assert_eq!(test_modules("src/x/mod.rs", text), ["src/x/cases.rs", "src/x/cases/"]);
        assert_eq!(test_modules("src/y.rs", text), ["src/y/cases.rs", "src/y/cases/"]);
    }
}
