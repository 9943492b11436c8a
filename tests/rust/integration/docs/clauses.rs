//! `docs/reference/clauses.md` explains every cited clause, so that a reader of the code can find
//! it.

use std::collections::BTreeSet;
use std::path::Path;

/// Where clauses are cited.
const ROOTS: [&str; 4] = ["src", "pkg/src", "docs", "tests"];

#[test]
fn every_cited_clause_is_explained() {
    let page = std::fs::read_to_string(agentwire_cases::path("docs/reference/clauses.md"))
        .expect("the page");
    let explained: BTreeSet<&str> = page.lines().filter_map(explained).collect();
    let mut files = Vec::new();
    ROOTS.iter().for_each(|root| texts(&agentwire_cases::path(root), &mut files));
    let mut missing = BTreeSet::new();
    let mut count = 0;
    for (path, text) in &files {
        for clause in text.lines().flat_map(cited) {
            count += 1;
            if !explained.contains(clause.as_str()) {
                missing.insert(format!("{clause} in {path}"));
            }
        }
    }
    assert!(count > 500, "the search finds citations, but only {count}");
    assert!(missing.is_empty(), "not in docs/reference/clauses.md: {missing:#?}");
}

#[test]
fn citations_are_recognized() {
    let line = "R13: as K7 and `C2` say (spec section 2 and 3.1, S:683), not VS15, xR1, R1x, A.44, M0 or 1.5; R29b does.";
    assert_eq!(cited(line), ["R13", "K7", "C2", "Spec 2", "Spec 3.1", "S:n", "R29b"]);
    assert_eq!(cited("Written strictly. (A.5, E.)"), ["A.5", "E."]);
}

#[test]
fn links_and_addresses_of_the_page_match() {
    let page = std::fs::read_to_string(agentwire_cases::path("docs/reference/clauses.md"))
        .expect("the page");
    let used: BTreeSet<&str> =
        page.split("][").skip(1).filter_map(|rest| rest.split(']').next()).collect();
    let defined: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.split_once("]: https://"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(used, defined);
}

#[test]
fn each_clause_is_explained_once() {
    let page = std::fs::read_to_string(agentwire_cases::path("docs/reference/clauses.md"))
        .expect("the page");
    let mut seen = BTreeSet::new();
    let twice: Vec<&str> =
        page.lines().filter_map(explained).filter(|clause| !seen.insert(*clause)).collect();
    assert!(twice.is_empty() && seen.len() > 190, "{twice:?} of {}", seen.len());
}

/// The clause that a row of the page explains.
fn explained(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("| <a id=\"")?.split_once("</a>**")?;
    let (clause, text) = rest.split_once("** | ")?;
    (!text.starts_with('|')).then_some(clause)
}

/// The rows of the page, for pages that link to them.
pub struct Clauses(String);

impl Clauses {
    pub fn read() -> Self {
        Clauses(
            std::fs::read_to_string(agentwire_cases::path("docs/reference/clauses.md"))
                .expect("the page"),
        )
    }

    /// The source of a rule in Markdown: a link to the clause, and one to the upstream text where
    /// the page has it.
    pub fn source(&self, cited: &str) -> String {
        if let Some(section) = cited.strip_prefix("RFC 8259, ") {
            return format!("[{cited}](https://www.rfc-editor.org/rfc/rfc8259#section-{section})");
        }
        if cited == "Limits" {
            return "[limits](../project/security.md#limits)".to_owned();
        }
        let clause = cited.split(',').next().unwrap_or(cited).replace("spec ", "Spec ");
        let row = self.0.lines().find(|line| explained(line) == Some(&clause));
        let row = row.unwrap_or_else(|| panic!("{clause} is not on the page"));
        let anchor = row.split('"').nth(1).expect("an anchor");
        let upstream = row.rsplit(" | ").next().expect("a last cell").trim_end_matches('|').trim();
        let link = format!("[{cited}](clauses.md#{anchor})");
        match upstream.strip_suffix(']').and_then(|link| link.split_once("][")) {
            Some((text, name)) => format!("{link}, {text}]({})", self.address(name)),
            None => link,
        }
    }

    /// Returns the address of a link by its name.
    fn address(&self, name: &str) -> &str {
        let definition = format!("[{name}]: ");
        self.0
            .lines()
            .find_map(|line| line.strip_prefix(&*definition))
            .unwrap_or_else(|| panic!("{definition}"))
    }
}

/// The clauses that a line cites: `R13`, `R29b`, `A.4`, `S:683`, `Spec 1.2, 3.1`, and `E.` at the
/// end of a list.
fn cited(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut after_spec = false;
    let is_part =
        |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | ':' | '-' | '_');
    for word in line.split(|char| !is_part(char)).filter(|word| !word.is_empty()) {
        let bare = word.trim_end_matches(['.', ':', '-']);
        if after_spec && bare.starts_with(|char: char| char.is_ascii_digit()) {
            found.push(format!("Spec {bare}"));
            continue;
        }
        after_spec =
            matches!(bare, "Spec" | "spec") || (after_spec && matches!(bare, "section" | "and"));
        found.extend(if word == "E." && line.contains(", E.)") {
            Some("E.".to_owned())
        } else {
            clause(bare)
        });
    }
    found
}

fn clause(word: &str) -> Option<String> {
    // The protocol, as its type is called.
    let (letter, rest) = word.split_at_checked(1).filter(|_| word != "A2a")?;
    let is_number = |text: &str, longest| {
        (1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let without_suffix = rest.strip_suffix(['a', 'b', 'c', 'd']).unwrap_or(rest);
    match letter {
        "S" | "B" if rest.strip_prefix(':').is_some_and(|line| is_number(line, 4)) => {
            Some(format!("{letter}:n"))
        }
        "A" | "F" if rest.strip_prefix('.').is_some_and(|number| is_number(number, 1)) => {
            Some(word.to_owned())
        }
        "R" | "K" | "U" | "E" | "O" | "A" | "V" | "C" | "X" if is_number(without_suffix, 2) => {
            Some(word.to_owned())
        }
        _ => None,
    }
}

fn texts(folder: &Path, files: &mut Vec<(String, String)>) {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            // Dependencies have other clauses.
            if !entry.ends_with("node_modules") {
                texts(&entry, files);
            }
            continue;
        }
        let name = entry.display().to_string();
        let is_text = [".rs", ".ts", ".md", ".mjs"].iter().any(|end| name.ends_with(end));
        // In a recorded stream only the files with expected results are ours.
        let is_expected = name.ends_with("expected.json") || name.ends_with("case.json");
        if is_text || is_expected {
            files.push((name, std::fs::read_to_string(&entry).expect("text")));
        }
    }
}
