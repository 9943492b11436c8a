//! A function call, whose arguments can arrive in pieces. (G7.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::core::Observed;
use crate::core::json_patch::{Edit, Tree};
use crate::engine::{Context, FieldValue, ObjectId, Subject};
use crate::json::{Raw, Str, SurrogateHalf, decode_into};
use crate::protocols::gemini::events::{FunctionCallChunk, PartialArg};
use crate::protocols::gemini::{FunctionCall, rules};

#[derive(Clone, Debug)]
pub(super) struct FoldedCall {
    /// The part.
    pub part: ObjectId,
    node: ObjectId,
    owner: Subject,
    id: String,
    pub name: String,
    pub will_continue: bool,
    has_args: bool,
    /// The arguments that arrive in pieces.
    args: Tree,
}

impl FoldedCall {
    /// Returns whether a chunk continues an open call. Without an open call, a chunk without a name
    /// belongs to none: false. `None` for a new call.
    pub fn part_of(open: &Option<Self>, chunk: &FunctionCallChunk<'_>) -> Option<bool> {
        let [id, name] =
            [chunk.id(), chunk.name()].map(|text| text.map(Str::to_str).unwrap_or_default());
        let Some(open) = open else {
            let is_piece = name.is_empty() && chunk.args().is_none();
            return is_piece.then_some(false);
        };
        let is_same = match (&*id, &*name) {
            ("", "") => true,
            ("", name) => *name == *open.name && chunk.partial_args().is_some(),
            (id, _) => *id == *open.id,
        };
        is_same.then_some(true)
    }

    /// Begins a call.
    pub fn new(
        part: ObjectId,
        node: ObjectId,
        chunk: &FunctionCallChunk<'_>,
        owner: Subject,
        cx: &mut Context<'_>,
    ) -> Self {
        let [id, name] =
            [chunk.id(), chunk.name()].map(|text| text.map(Str::to_str).unwrap_or_default());
        if !id.is_empty() {
            cx.set_short(node, FunctionCall::id, &id);
        }
        if name.is_empty() {
            cx.record_in(&rules::CALL_NAME, owner, None, Observed::Words("no name"));
        }
        cx.set_text(node, FunctionCall::name, &name);
        let (id, name) = (id.into_owned(), name.into_owned());
        let (will_continue, has_args, args) = (false, false, Tree::default());
        FoldedCall { part, node, owner, id, name, will_continue, has_args, args }
    }

    /// Applies the arguments of a chunk.
    pub fn apply(&mut self, chunk: &FunctionCallChunk<'_>, cx: &mut Context<'_>) {
        if let Some(args) = chunk.args()
            && cx.set(self.node, FunctionCall::args, FieldValue::Free(args))
        {
            self.args = Tree::of(args);
            self.has_args = true;
        }
        for json in chunk.partial_args().into_iter().flat_map(|args| args.elements()) {
            match PartialArg::decode(json) {
                Ok(arg) if self.put(&arg, cx).is_none() => {
                    let got = Observed::Text(json.raw().as_str());
                    cx.record_in(&rules::PARTIAL_ARGS, self.owner, None, got);
                }
                Ok(_) => {}
                Err(error) => cx.malformed(&error, json.raw().as_str(), self.owner, None),
            }
        }
        for (name, value) in chunk.undeclared() {
            cx.set_extra(self.node, &name, value);
        }
        let will_continue = chunk.will_continue();
        let continues = will_continue.is_some_and(|value| value.raw().as_str() == "true");
        if let (true, false, Some(value)) = (continues, self.will_continue, will_continue) {
            cx.set(self.node, FunctionCall::will_continue, FieldValue::Free(value));
        }
        if self.will_continue && !continues {
            cx.unset(self.node, FunctionCall::will_continue);
        }
        self.will_continue = continues;
    }

    /// Ends the call.
    pub fn end(self, cx: &mut Context<'_>) {
        if self.will_continue {
            cx.unset(self.node, FunctionCall::will_continue);
        }
        cx.note_text_end(self.node, FunctionCall::args);
    }

    /// Puts a value into the arguments, or appends a piece to a text in them. Returns `None` if it
    /// does not fit.
    fn put(&mut self, arg: &PartialArg<'_>, cx: &mut Context<'_>) -> Option<()> {
        let path = arg.json_path()?.to_str();
        let steps = steps(&path)?;
        let names: Vec<&str> = steps.iter().map(|step| &*step.name).collect();
        let value =
            match (arg.string_value(), arg.number_value(), arg.bool_value(), arg.null_value()) {
                (Some(_), ..) => "\"\"",
                (_, Some(number), ..) => number.number().ok()?,
                (_, _, Some(value), _) => {
                    value.bool().map(|is| if is { "true" } else { "false" }).ok()?
                }
                (.., Some(_)) => "null",
                // Only announces the place.
                _ => return Some(()),
            };
        if steps.len() > cx.options().limits.json_depth as usize {
            return None;
        }
        if !self.has_args {
            self.has_args = cx.set_json(self.node, FunctionCall::args, "{}");
        }
        for (depth, step) in steps.iter().enumerate().skip(1) {
            if self.args.find(&names[..depth]).is_none() {
                let container = if step.is_index { "[]" } else { "{}" };
                self.place(&steps[..depth], &names[..depth], container, cx)?;
            }
        }
        let Some(piece) = arg.string_value() else { return self.place(&steps, &names, value, cx) };
        if self.args.find(&names).and_then(|node| node.as_str()).is_none() {
            self.place(&steps, &names, value, cx)?;
        }
        let (mut half, mut text) = (SurrogateHalf::NONE, String::new());
        let mut lone = decode_into(piece, &mut half, &mut text);
        if half.is_waiting() {
            text.push('\u{fffd}');
            lone += 1;
        }
        if lone > 0 {
            cx.record_in(&rules::LONE_SURROGATE, self.owner, None, Observed::Count(lone.into()));
        }
        if cx.append_in(self.node, FunctionCall::args, &names, &text) {
            self.args.append(&names, &text);
        }
        Some(())
    }

    /// Sets a member, or an element that exists or is the next one.
    fn place(
        &mut self,
        steps: &[JsonPathStep<'_>],
        names: &[&str],
        json: &str,
        cx: &mut Context<'_>,
    ) -> Option<()> {
        let last = steps.last()?;
        let parent = self.args.find(&names[..names.len() - 1])?;
        let is_next = match parent.len() {
            Some(count) if last.is_index => match last.name.parse::<usize>().ok()? {
                at if at < count => false,
                at if at == count => true,
                _ => return None,
            },
            None if !last.is_index && parent.is_object() => false,
            _ => return None,
        };
        let (key, value) = (FunctionCall::args, FieldValue::Json(Raw(json)));
        let tree = Tree::from_raw(Raw(json)).into_root();
        let (taken, edit) = match is_next {
            true => (cx.add_element(self.node, key, names, value), Edit::Insert(tree)),
            false => (cx.set_in(self.node, key, names, value), Edit::Set(tree)),
        };
        if taken {
            self.args.edit(names, edit);
        }
        taken.then_some(())
    }
}

/// A step of a JSONPath.
#[derive(Clone, Debug)]
struct JsonPathStep<'a> {
    name: Cow<'a, str>,
    is_index: bool,
}

/// Returns the steps of a JSONPath of names and indexes: `$.a['b'][0]`. `None` for any other one.
fn steps(path: &str) -> Option<Vec<JsonPathStep<'_>>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (name, is_index);
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            (name, is_index) = (Cow::Borrowed(&after[..end]), false);
            rest = &after[end..];
        } else {
            let after = rest.strip_prefix('[')?;
            match after.chars().next().filter(|quote| matches!(quote, '\'' | '"')) {
                Some(quote) => (name, is_index, rest) = quoted(&after[1..], quote)?,
                None => {
                    let end = after.find(']')?;
                    (name, is_index) = (Cow::Borrowed(&after[..end]), true);
                    rest = &after[end + 1..];
                }
            }
        }
        if name.is_empty() || is_index && !name.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        steps.push(JsonPathStep { name, is_index });
    }
    (!steps.is_empty()).then_some(steps)
}

/// Returns the name in front of a closing quote, in which a backslash escapes the next character,
/// and the path after it.
fn quoted(path: &str, quote: char) -> Option<(Cow<'_, str>, bool, &str)> {
    let mut name = String::new();
    let mut characters = path.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.push(characters.next()?.1),
            _ if character == quote => {
                return Some((Cow::Owned(name), false, path[at + 1..].strip_prefix(']')?));
            }
            _ => name.push(character),
        }
    }
    None
}
