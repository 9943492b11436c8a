//! Names and words in all spellings that the official readers of ProtoJSON accept. (A2A 2.2, A11.)

use super::Dialect;
use super::proto03::Proto03;
use crate::core::declare::model::shape::WordsShape;
use crate::json::Element;

/// Reports whether a name is the snake_case form of a name in camelCase.
fn is_snake_of(name: &str, camel: &str) -> bool {
    let mut bytes = name.bytes();
    let same = camel.bytes().all(|byte| match byte.is_ascii_uppercase() {
        true => bytes.next() == Some(b'_') && bytes.next() == Some(byte.to_ascii_lowercase()),
        false => bytes.next() == Some(byte),
    });
    same && bytes.next().is_none()
}

/// The spelling of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Spelling {
    Snake,
    Camel,
}

/// Returns the spelling of a member's name, or `None` if it is another name.
pub(super) fn spelling(member: Element<'_, '_>, camel: &str) -> Option<Spelling> {
    if member.is_of(camel) {
        return Some(Spelling::Camel);
    }
    member.key().as_plain().filter(|name| is_snake_of(name, camel)).map(|_| Spelling::Snake)
}

/// Returns the member with this name, unless it is null. The last one takes precedence, and camelCase over snake_case.
pub(super) fn named<'d, 'a>(json: Element<'d, 'a>, camel: &str) -> Option<(Element<'d, 'a>, Spelling)> {
    let mut found: Option<(Element<'d, 'a>, Spelling)> = None;
    let mut members = json.object().ok()?;
    while let Some(value) = members.next_value() {
        if let Some(spelling) = spelling(value, camel).filter(|_| !value.is_null())
            && found.is_none_or(|(_, before)| before <= spelling)
        {
            found = Some((value, spelling));
        }
    }
    found
}

/// The meaning of a value where a word is expected.
pub(super) enum Said {
    /// The word with this index.
    Word(usize),
    /// The word with this index, written as a number.
    Number(usize),
    /// Any other value.
    Unknown,
}

/// Finds the word of a list that a value denotes. The words of 0.3 are those of 1.0 in lower case, with hyphens, and
/// without the prefix, which is the first word without `UNSPECIFIED`.
pub(super) fn word(value: Element<'_, '_>, words: &WordsShape, dialect: Dialect, proto03: Proto03) -> Said {
    const UNSPECIFIED: &str = "UNSPECIFIED";
    let prefix = words.words.first().map_or(0, |first| first.len().saturating_sub(UNSPECIFIED.len()));
    let place = match value.string() {
        Ok(said) if dialect == Dialect::V0_3 => {
            let said = said.to_str();
            let is_it = |word: &&&str| {
                let known = word.get(prefix..).unwrap_or_default().bytes();
                let known = known.map(|byte| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() });
                !said.is_empty() && known.eq(said.bytes())
            };
            return match words.words.iter().enumerate().find(|(_, word)| is_it(word)) {
                Some((at, _)) => Said::Word(at),
                None if said == "unknown" => Said::Word(0),
                None => Said::Unknown,
            };
        }
        Ok(said) => {
            let is_canceled = proto03.counts() && said == "TASK_STATE_CANCELLED";
            let canceled = is_canceled.then_some("TASK_STATE_CANCELED");
            let is_it =
                |word: &&'static str| canceled.map_or_else(|| said == *word, |canceled| canceled == *word);
            words.words.iter().position(is_it).map(Said::Word)
        }
        Err(_) => value.integer().ok().and_then(|at| usize::try_from(at).ok()).map(Said::Number),
    };
    // The last word stands for all unknown words.
    let last = words.words.len() - 1;
    place
        .filter(|said| matches!(said, Said::Word(at) | Said::Number(at) if *at < last))
        .unwrap_or(Said::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snake_case_is_told_from_other_names() {
        assert!(is_snake_of("reference_task_ids", "referenceTaskIds") && is_snake_of("id", "id"));
        for other in
            ["referenceTaskIds", "reference_task_id", "reference_task_ids_", "reference__task_ids", ""]
        {
            assert!(!is_snake_of(other, "referenceTaskIds"), "{other}");
        }
    }
}
