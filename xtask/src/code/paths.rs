//! Which modules a Rust file names: its `use` lines, and the paths that begin with `crate`, `super` or `self`.

use std::collections::BTreeSet;

use super::rust;

/// A path that a file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// From 1.
    pub line: usize,
    /// From the crate's root: `["json", "Str"]`.
    pub path: Vec<String>,
}

/// The module that a file is, from the crate's root.
pub fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let mut names: Vec<String> = path.split('/').map(str::to_owned).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

/// Where a file is read.
pub struct Scope<'a> {
    /// The module that the file is.
    pub module: &'a [String],
    /// What it calls `crate`.
    pub root: &'a [String],
    /// The crate's name, for the programs that use it by that.
    pub library: &'a str,
    /// All modules: a `use` may begin with one that lies directly in this one.
    pub modules: &'a BTreeSet<Vec<String>>,
}

/// What a file names, tests left out.
pub fn mentions(text: &str, scope: &Scope<'_>) -> Vec<Mention> {
    let names = rust::names(text);
    let tokens = tokens(&names);
    let reader = Reader { tokens: &tokens, scope };
    let mut found = Vec::new();
    // The modules written inside this file that are open, each with the depth of its bracket.
    let mut inside: Vec<(String, usize)> = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(token) = tokens.get(at) {
        let mut here = scope.module.to_vec();
        here.extend(inside.iter().map(|(name, _)| name.clone()));
        match token.text {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inside.retain(|(_, opened)| *opened < depth);
            }
            "mod" if reader.text(at + 2) == "{" => inside.push((reader.text(at + 1).to_owned(), depth)),
            "use" => {
                at = reader.tree(at + 1, &here, None, &mut found);
                continue;
            }
            _ if at == 0 || tokens[at - 1].text != "::" => {
                if let Some((path, after)) = reader.path(at, &here) {
                    found.push(Mention { line: token.line, path });
                    at = after;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// Words, `::`, and every other character by itself.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|character| !is_word(character)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push(Token { text: &rest[..length], line: number + 1 });
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    scope: &'a Scope<'a>,
}

impl Reader<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// A path that begins in a known place, and the token after it.
    fn path(&self, mut at: usize, here: &[String]) -> Option<(Vec<String>, usize)> {
        let mut path = self.start(self.text(at), here)?;
        if self.text(at + 1) != "::" {
            return None;
        }
        while self.text(at + 1) == "::" && is_name(self.text(at + 2)) {
            at += 2;
            match self.text(at) {
                "super" => drop(path.pop()),
                name => path.push(name.to_owned()),
            }
        }
        Some((path, at + 1))
    }

    fn start(&self, word: &str, here: &[String]) -> Option<Vec<String>> {
        match word {
            "crate" => Some(self.scope.root.to_vec()),
            "self" => Some(here.to_vec()),
            "super" => Some(here.get(..here.len().saturating_sub(1))?.to_vec()),
            _ if word == self.scope.library => Some(Vec::new()),
            _ => None,
        }
    }

    fn child(&self, word: &str, here: &[String]) -> Option<Vec<String>> {
        let path = [here, &[word.to_owned()]].concat();
        self.scope.modules.contains(&path).then_some(path)
    }

    /// One branch of a `use`; `before` is what stands before it, unless it is the first. Returns the token after it.
    fn tree(
        &self,
        mut at: usize,
        here: &[String],
        before: Option<&[String]>,
        found: &mut Vec<Mention>,
    ) -> usize {
        let line = self.tokens.get(at).map_or(0, |token| token.line);
        let mut path = before.map(<[String]>::to_vec);
        let mut foreign = false;
        loop {
            match self.text(at) {
                "{" => {
                    at += 1;
                    while !matches!(self.text(at), "}" | "") {
                        at = match &path {
                            Some(path) => self.tree(at, here, Some(path), found),
                            // From another crate, or from a module of this file's own.
                            None => self.tree(at, here, None, found),
                        };
                        at += usize::from(self.text(at) == ",");
                    }
                    return at + 1;
                }
                "::" => at += 1,
                "*" => {
                    at += 1;
                    break;
                }
                "as" => at += 2,
                "super" if path.is_some() => {
                    path.as_mut().expect("just seen").pop();
                    at += 1;
                }
                "self" if path.is_some() => at += 1,
                word if is_name(word) => {
                    match &mut path {
                        Some(path) => path.push(word.to_owned()),
                        None if foreign => {}
                        None => path = self.start(word, here).or_else(|| self.child(word, here)),
                    }
                    foreign = path.is_none();
                    at += 1;
                }
                _ => break,
            }
        }
        if let Some(path) = path {
            found.push(Mention { line, path });
        }
        at
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, module: &str) -> Vec<String> {
        let module: Vec<String> = module.split('/').map(str::to_owned).collect();
        let root = if module[0] == "cli" { &module[..1] } else { &[] };
        let modules = BTreeSet::from([["core", "fold"].map(str::to_owned).to_vec()]);
        let mentions =
            mentions(text, &Scope { module: &module, root, library: "agentwire", modules: &modules });
        mentions.iter().map(|mention| format!("{} {}", mention.line, mention.path.join("/"))).collect()
    }

    #[test]
    fn a_use_names_each_of_its_branches() {
        let text = "use alloc::{string::String, vec::Vec};\npub(crate) use crate::json::{self, Str,\n  number::{scan as s, digits}};\nuse super::patch::*;\nuse super::super::sse;";
        let expected =
            ["2 json", "2 json/Str", "3 json/number/scan", "3 json/number/digits", "4 fold/patch", "5 sse"];
        assert_eq!(found(text, "fold/sink"), expected);
    }

    #[test]
    fn paths_count_wherever_they_stand() {
        let text = "fn f(x: &crate::got::Got<'_>) -> super::Y { $crate::rules::R; self::z(); a::crate_b() }\n// crate::no\npub(in crate::core) fn g() { \"crate::no\" }";
        assert_eq!(
            found(text, "read/stream"),
            ["1 got/Got", "1 read/Y", "1 rules/R", "1 read/stream/z", "3 core"]
        );
    }

    #[test]
    fn a_module_inside_a_file_is_one_step_deeper_and_tests_do_not_count() {
        let text = "mod inner { use super::super::sse; fn f() { super::g() } }\nuse super::json;\n#[cfg(test)]\nmod tests { use crate::wasm; }";
        assert_eq!(found(text, "core/fold"), ["1 core/sse", "1 core/fold/g", "2 core/json"]);
    }

    #[test]
    fn a_program_names_the_library() {
        assert_eq!(
            found("use agentwire::json::Str;\nuse crate::input;", "cli/check"),
            ["1 json/Str", "2 cli/input"]
        );
    }

    #[test]
    fn a_use_may_begin_with_a_module_of_the_files_own() {
        assert_eq!(
            found("use fold::{Fold, x::Y};\nuse other::fold::Z;", "core"),
            ["1 core/fold/Fold", "1 core/fold/x/Y"]
        );
    }

    #[test]
    fn a_file_is_a_module() {
        for (path, module) in [("lib.rs", ""), ("read/mod.rs", "read"), ("json/float.rs", "json/float")] {
            assert_eq!(module_of(path).join("/"), module, "{path}");
        }
    }
}
