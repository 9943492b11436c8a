//! In how many files something is named: each is a file that has to be looked at when one more of its kind is added.

use super::{
    protocol::{is_own, spelled},
    row,
    tree::{Tree, is_test},
};
use crate::code::File;

/// What is shipped, what tests it, and the rest.
#[derive(Clone, Copy, PartialEq)]
enum Area {
    Rust,
    TypeScript,
    Tests,
    Other,
}

impl Area {
    const ALL: [Area; 4] = [Area::Rust, Area::TypeScript, Area::Tests, Area::Other];

    fn of(path: &str) -> Area {
        match path {
            _ if path.starts_with("src/") => Area::Rust,
            _ if path.starts_with("pkg/src/") => Area::TypeScript,
            _ if is_test(path) => Area::Tests,
            _ => Area::Other,
        }
    }
}

pub fn report(tree: &Tree, protocols: &[String], content_type: &str) -> Vec<String> {
    let mut out = vec![row("files that name", ["all", "src", "pkg/src", "tests", "other"])];
    for protocol in protocols {
        let count = |file: &File| !is_own(&file.path, protocol) && names_protocol(&file.text, protocol);
        out.push(line(tree, &format!("{}, files of its own left out", spelled(protocol)), count));
    }
    out.push(line(tree, &format!("the content type {content_type}"), |file| {
        words(&file.text).any(|word| word.eq_ignore_ascii_case(content_type))
    }));
    out
}

fn line(tree: &Tree, name: &str, wanted: impl Fn(&File) -> bool) -> String {
    let found: Vec<&File> = tree.files.iter().filter(|file| wanted(file)).collect();
    let in_area = |area| found.iter().filter(|file| Area::of(&file.path) == area).count();
    let [src, package, tests, other] = Area::ALL.map(in_area);
    row(name, [found.len(), src, package, tests, other])
}

/// Whether a text names the protocol `ag_kit`: `ag_kit`, `ag-kit`, `AgKit`, `agKit`, `AG-Kit`, alone or in a longer name. A
/// name that is one word of English counts only where it is no prose: as a path, as a whole string, or as a type.
fn names_protocol(text: &str, protocol: &str) -> bool {
    if protocol.contains('_') {
        let joined: String = protocol.split('_').collect();
        let flat: String = text.chars().filter(|character| !matches!(character, '-' | '_' | ' ')).collect();
        return flat.to_ascii_lowercase().contains(&joined);
    }
    let quoted = ['"', '\'', '`'].iter().any(|quote| text.contains(&format!("{quote}{protocol}{quote}")));
    let path = [format!("{protocol}::"), format!("/{protocol}\""), format!("/{protocol}.")];
    let typed: String = protocol[..1].to_ascii_uppercase() + protocol.get(1..).unwrap_or_default();
    quoted
        || path.iter().any(|path| text.contains(path))
        || words(text).any(|word| word == typed && is_typed(text, word))
}

/// Whether a capitalised word is a name of a program, and not the beginning of a sentence.
fn is_typed(text: &str, word: &str) -> bool {
    ["::", "<", ">", "(", ":", ",", "`"].iter().any(|after| text.contains(&format!("{word}{after}")))
}

/// Words of names: `video_url` and `VideoContent` have `video`, too.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).flat_map(humps)
}

/// `VideoContent` is two words.
fn humps(word: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = word
        .char_indices()
        .zip(word.chars().skip(1))
        .filter(|((_, before), after)| before.is_lowercase() && after.is_uppercase())
        .map(|((at, before), _)| at + before.len_utf8())
        .collect();
    starts.insert(0, 0);
    starts.push(word.len());
    starts.windows(2).map(|pair| &word[pair[0]..pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_protocol_counts() {
        for text in
            ["crate::ag_kit::x", "\"ag-kit\"", "FromAgKit", "agKitOf", "AG-Kit's", "AG Kit", "DEMO_AG_KIT"]
        {
            assert!(names_protocol(text, "ag_kit"), "{text}");
        }
        assert!(!names_protocol("a bag, a kite, kit", "ag_kit"));
    }

    #[test]
    fn a_word_of_english_is_no_protocol() {
        for text in [
            "read \"chat\"",
            "protocols::chat::X",
            "from \"agentwire/chat\"",
            "Reader<Chat>",
            "Chat::default()",
        ] {
            assert!(names_protocol(text, "chat"), "{text}");
        }
        for text in ["a chat", "Chat is a word", "chats", "Chatter::new()"] {
            assert!(!names_protocol(text, "chat"), "{text}");
        }
    }

    #[test]
    fn a_content_type_is_a_word_of_a_name() {
        let named = |text| words(text).any(|word| word.eq_ignore_ascii_case("video"));
        for text in ["video", "video_url", "VideoContent", "\"video\"", "isVideo", "VIDEO"] {
            assert!(named(text), "{text}");
        }
        assert!(!named("videos or provideo"));
    }
}
