//! The problems of a request.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{self, Member, Value, decimal, put};

/// One problem of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub(crate) place: Vec<ProblemPathStep>,
    pub(crate) fault: Fault,
    pub(crate) got: Value,
}

impl Problem {
    /// Creates a problem. Keeps only the beginning of a long value.
    pub(crate) fn new(place: Vec<ProblemPathStep>, fault: Fault, got: &Value) -> Self {
        Problem { place, fault, got: abridged(got) }
    }

    /// Returns the number of problems that it represents.
    pub(crate) fn count(&self) -> usize {
        match self.fault {
            Fault::Omitted(count) => count,
            _ => 1,
        }
    }

    /// Returns the path: member names and list positions joined by dots (`input.0.role`). The
    /// position of a content is followed by its type (`input.0.content.1.text.text`), and `stop`
    /// and the position of a tool by the alternative that was tried, as in the servers' own
    /// reports. Empty for the request as a whole.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.place {
            if !path.is_empty() {
                path.push('.');
            }
            match step {
                ProblemPathStep::Name(name) => path.push_str(name),
                ProblemPathStep::Place(at) => json::push_integer(*at as i64, &mut path),
            }
        }
        path
    }

    /// Returns the stable name of the fault, snake_case: the server's own name if it has one for
    /// the fault (`missing`, `string_type`, `literal_error`, …).
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// Returns a text with the expected value.
    pub fn expected(&self) -> Cow<'static, str> {
        self.fault.expected()
    }

    /// Returns the actual value; for a missing value, its parent. A value of more than a kilobyte
    /// is cut.
    pub fn got(&self) -> &Value {
        &self.got
    }
}

impl Problem {
    /// Returns problems as a JSON array of objects with `path`, `code`, `expected` and `got`.
    pub fn list_to_json(problems: &[Problem]) -> String {
        let list = problems.iter().map(|problem| {
            Value::from([
                ("path", problem.path().into()),
                ("code", problem.code().into()),
                ("expected", Value::from(&*problem.expected())),
                ("got", problem.got.clone()),
            ])
        });
        Value::Array(list.collect()).to_json()
    }
}

/// One step of the path to a place in a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ProblemPathStep {
    Name(Cow<'static, str>),
    Place(usize),
}

impl From<&'static str> for ProblemPathStep {
    fn from(name: &'static str) -> Self {
        ProblemPathStep::Name(Cow::Borrowed(name))
    }
}

impl From<usize> for ProblemPathStep {
    fn from(at: usize) -> Self {
        ProblemPathStep::Place(at)
    }
}

/// The kinds of fault. Their codes and texts are those of the servers, which all use the same
/// validator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    Missing,
    StringType,
    BoolType,
    BoolParsing,
    IntType,
    IntParsing,
    IntParsingSize,
    IntFromFloat,
    FloatType,
    FloatParsing,
    FiniteNumber,
    ListType,
    DictType,
    EmptyList,
    /// Not an object, where a model of that name is expected.
    ModelType(&'static str),
    /// Not an object, where a content is expected.
    ModelAttributesType,
    /// Not one of these words.
    OneOf(Words),
    /// A union without its tag.
    NoTag(&'static str),
    /// A tag with this value, which is not one of the words.
    Tag(&'static str, String, Words),
    AtLeast(i64),
    AtMost(i64),
    /// Not JSON.
    NotJson(&'static str),
    /// More than this number of bytes.
    TooLong(usize),
    /// The number of further problems.
    Omitted(usize),
    /// R39.
    NoSession,
    /// R39.
    NoUser,
    /// R41.
    UselessTool,
    /// A rule of one protocol only: its code, and the expected value.
    #[allow(dead_code, reason = "a build may have no protocol with such rules")]
    Other(&'static str, &'static str),
}

/// The words that are allowed at a place, in the order in which errors list them.
pub(crate) type Words = &'static [&'static str];

/// Returns `'a', 'b' or 'c'`.
fn alternatives(words: &[&str], last: &str) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let separator = match at {
            0 => "",
            _ if at + 1 == words.len() => last,
            _ => ", ",
        };
        put(&mut text, &[separator, "'", word, "'"].concat());
    }
    text
}

impl Fault {
    /// Returns the code, and the text if it does not depend on the value.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            Fault::Missing => ("missing", "Field required"),
            Fault::StringType => ("string_type", "Input should be a valid string"),
            Fault::BoolType => ("bool_type", "Input should be a valid boolean"),
            Fault::BoolParsing => {
                ("bool_parsing", "Input should be a valid boolean, unable to interpret input")
            }
            Fault::IntType => ("int_type", "Input should be a valid integer"),
            Fault::IntParsing => (
                "int_parsing",
                "Input should be a valid integer, unable to parse string as an integer",
            ),
            Fault::IntParsingSize => (
                "int_parsing_size",
                "Unable to parse input string as an integer, exceeded maximum size",
            ),
            Fault::IntFromFloat => (
                "int_from_float",
                "Input should be a valid integer, got a number with a fractional part",
            ),
            Fault::FloatType => ("float_type", "Input should be a valid number"),
            Fault::FloatParsing => (
                "float_parsing",
                "Input should be a valid number, unable to parse string as a number",
            ),
            Fault::FiniteNumber => ("finite_number", "Input should be a finite number"),
            Fault::ListType => ("list_type", "Input should be a valid list"),
            Fault::DictType => ("dict_type", "Input should be a valid dictionary"),
            Fault::EmptyList => {
                ("too_short", "List should have at least 1 item after validation, not 0")
            }
            Fault::ModelType(_) => ("model_type", ""),
            Fault::ModelAttributesType => (
                "model_attributes_type",
                "Input should be a valid dictionary or object to extract fields from",
            ),
            Fault::OneOf(_) => ("literal_error", ""),
            Fault::NoTag(_) => ("union_tag_not_found", ""),
            Fault::Tag(..) => ("union_tag_invalid", ""),
            Fault::AtLeast(_) => ("greater_than_equal", ""),
            Fault::AtMost(_) => ("less_than_equal", ""),
            Fault::NotJson(_) => ("json_invalid", "JSON decode error"),
            Fault::TooLong(_) => ("body_too_long", ""),
            Fault::Omitted(_) => ("problems_omitted", ""),
            Fault::NoSession => (
                "session_id_missing",
                "a request should name its session: concurrent requests without one collide",
            ),
            Fault::NoUser => (
                "user_id_missing",
                "a request should name its user: concurrent requests without one collide",
            ),
            Fault::UselessTool => (
                "tool_not_understood",
                "a tool should have `function` with `name`, `description` and `parameters`",
            ),
            Fault::Other(code, expected) => (code, expected),
        }
    }

    pub(crate) fn code(&self) -> &'static str {
        self.words().0
    }

    pub(crate) fn expected(&self) -> Cow<'static, str> {
        match self {
            Fault::ModelType(name) => {
                ["Input should be a valid dictionary or instance of ", name].concat().into()
            }
            Fault::OneOf(words) => {
                ["Input should be ", &alternatives(words, " or ")].concat().into()
            }
            Fault::NoTag(name) => {
                ["Unable to extract tag using discriminator '", name, "'"].concat().into()
            }
            Fault::Tag(name, tag, words) => {
                let expected = alternatives(words, ", ");
                let middle = "' does not match any of the expected tags: ";
                ["Input tag '", tag, "' found using '", name, middle, &expected].concat().into()
            }
            Fault::TooLong(most) => {
                ["The body should have at most ", &decimal(*most as i64), " bytes"].concat().into()
            }
            Fault::Omitted(count) => {
                [&decimal(*count as i64), " more problems are not listed"].concat().into()
            }
            Fault::AtLeast(least) => {
                ["Input should be greater than or equal to ", &decimal(*least)].concat().into()
            }
            Fault::AtMost(most) => {
                ["Input should be less than or equal to ", &decimal(*most)].concat().into()
            }
            _ => self.words().1.into(),
        }
    }

    /// Returns the `ctx` member of the servers' detail entries: the variable parts of the text.
    pub(crate) fn context(&self) -> Option<Value> {
        Some(match self {
            Fault::ModelType(name) => Value::from([("class_name", (*name).into())]),
            Fault::OneOf(words) => Value::from([("expected", alternatives(words, " or ").into())]),
            Fault::NoTag(name) => {
                Value::from([("discriminator", alternatives(&[name], "").into())])
            }
            Fault::Tag(name, tag, words) => Value::from([
                ("discriminator", alternatives(&[name], "").into()),
                ("tag", tag.as_str().into()),
                ("expected_tags", alternatives(words, ", ").into()),
            ]),
            Fault::AtLeast(least) => Value::from([("ge", (*least).into())]),
            Fault::AtMost(most) => Value::from([("le", (*most).into())]),
            Fault::EmptyList => Value::from([
                ("field_type", "List".into()),
                ("min_length", 1.into()),
                ("actual_length", 0.into()),
            ]),
            Fault::NotJson(reason) => Value::from([("error", (*reason).into())]),
            _ => return None,
        })
    }
}

// Abridges values for error messages.

/// The maximum number of bytes of a value in a problem: of its texts, numbers and keys. Each value
/// counts as at least one byte.
const MOST: usize = 1024;

/// The mark of an omission.
const MARK: &str = "…";

/// Returns a short value unchanged, and the beginning of a longer one. The cost does not depend on
/// the length of the value.
pub(super) fn abridged(value: &Value) -> Value {
    part(value, &mut { MOST })
}

/// Abridges the object with these members.
pub(super) fn abridged_members(members: &[Member]) -> Value {
    members_of(members, &mut { MOST })
}

/// Returns a short text unchanged, and both ends of a longer one.
pub(super) fn abridged_text(text: &str) -> String {
    ends(text, MOST)
}

/// Returns the ends of a text, and takes its length from the room.
fn cut(text: &str, room: &mut usize) -> Value {
    let shortened = ends(text, *room);
    *room = room.saturating_sub(text.len());
    Value::String(shortened)
}

fn part(value: &Value, room: &mut usize) -> Value {
    *room = room.saturating_sub(1);
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(digits) if digits.len() <= *room => {
            *room -= digits.len();
            value.clone()
        }
        Value::Number(digits) => cut(digits, room),
        Value::String(text) => cut(text, room),
        Value::Array(items) => {
            let mut shortened = Vec::new();
            for item in items {
                if *room == 0 {
                    shortened.push(MARK.into());
                    break;
                }
                shortened.push(part(item, room));
            }
            Value::Array(shortened)
        }
        Value::Object(members) => members_of(members, room),
    }
}

fn members_of(members: &[Member], room: &mut usize) -> Value {
    let mut shortened = Vec::new();
    for Member { key, value } in members {
        if *room == 0 {
            shortened.push(Member { key: MARK.into(), value: MARK.into() });
            break;
        }
        let name = ends(key, *room);
        *room = room.saturating_sub(key.len());
        shortened.push(Member { key: name, value: part(value, room) });
    }
    Value::Object(shortened)
}

fn ends(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.into();
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=room / 2).rev().find(is_boundary).unwrap_or(0);
    let tail = (text.len() - room / 2..text.len()).find(is_boundary).unwrap_or(text.len());
    [&text[..head], MARK, &text[tail..]].concat()
}
