//! What the tests of the codecs have in common.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::{
    Back, Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque,
    Output, Part, RequestCodec, RunBy, SettingKey, Tool, ToolChoice, ToolResult, Turn, TurnRole,
    normalise,
};
use crate::core::id::IdSource;
use crate::hub::Losses;
use crate::json::{Value, decimal};

/// Creates the ids `1`, `2`, …
#[derive(Default)]
struct Count(i64);

impl IdSource for Count {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0 += 1;
        [prefix, &*decimal(self.0)].concat()
    }
}

pub(crate) fn parsed(json: &str) -> Value {
    Value::parse(json, 64).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// A request that was converted.
pub(crate) struct SentRequest {
    pub request: Value,
    pub back: Back,
    /// Class, kind and location of the losses.
    pub losses: Vec<String>,
}

/// Makes a conversation valid for a protocol, and writes it.
pub(crate) fn sent(mut conversation: Conversation, to: &RequestCodec) -> SentRequest {
    let mut losses = Losses::default();
    let requirements = (to.requirements)(conversation.settings.text(SettingKey::Model));
    let back = normalise(&mut conversation, requirements, Some("scope"), &mut losses);
    let json = (to.write)(&conversation, &mut Count::default());
    let mut again = conversation.clone();
    normalise(&mut again, requirements, Some("scope"), &mut Losses::default());
    assert_eq!(again, conversation, "normalising twice changes something");
    let losses =
        losses.iter().map(|loss| [loss.class.as_str(), loss.kind, &loss.location].join(" "));
    SentRequest { request: parsed(&json), back, losses: losses.collect() }
}

/// Converts a request.
pub(crate) fn converted(from: &RequestCodec, request: &str, to: &RequestCodec) -> SentRequest {
    sent((from.read)(parsed(request)), to)
}

/// Returns the JSON of a value whose members are in the order of their names.
pub(crate) fn sorted(value: &Value) -> String {
    fn sort(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.sort_by(|one, other| one.key.cmp(&other.key));
                members.iter_mut().for_each(|member| sort(&mut member.value));
            }
            Value::Array(list) => list.iter_mut().for_each(sort),
            _ => {}
        }
    }
    let mut value = value.clone();
    sort(&mut value);
    value.to_json()
}

/// Asserts that a request is the same after it was read and written.
pub(crate) fn assert_identity(codec: &RequestCodec, request: &str) {
    let sent = converted(codec, request, codec);
    assert_eq!(sorted(&sent.request), sorted(&parsed(request)));
    assert_eq!(sent.losses, Vec::<String>::new(), "{request}");
    assert!(sent.back.is_empty(), "{request}");
}

/// Returns the value at a path of names and numbers with dots.
pub(crate) fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, name| match value {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    })
}

/// Asserts that a value at a path has this JSON; `None`: that there is none.
pub(crate) fn assert_at(value: &Value, path: &str, expected: Option<&str>) {
    let found = at(value, path).map(sorted);
    let expected = expected.map(|expected| sorted(&parsed(expected)));
    assert_eq!(found, expected, "{path} of {}", value.to_json());
}

/// Ids for tests: `id_1`, `id_2`.
#[derive(Debug, Default)]
pub(crate) struct CountedIds(u32);

impl IdSource for CountedIds {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0 += 1;
        [prefix, "id_", &self.0.to_string()].concat()
    }
}

pub(crate) fn json(text: &str) -> Value {
    Value::parse(text, 64).unwrap_or_else(|error| panic!("{error:?}: {text}"))
}

/// Opaque members of a model.
pub(crate) fn opaque(format: &'static str, members: &str) -> Option<Opaque> {
    let Value::Object(members) = json(members) else { panic!("an object") };
    Opaque::new(format, members).map(|opaque| Opaque { scope: Some("0badc0de".into()), ..opaque })
}

/// Random choices, the same for the same seed.
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    pub fn is(&mut self, one_in: usize) -> bool {
        self.roll(one_in) == 0
    }

    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())].clone()
    }
}

/// What random conversations have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    /// Opaque members of models.
    pub opaque: bool,
    /// What no protocol of a model but one has, between other parts.
    pub native: bool,
    /// Cache breakpoints.
    pub cache: bool,
    /// Media in messages of the assistant.
    pub media_of_assistant: bool,
    /// Media in results.
    pub media_in_results: bool,
    /// Data and refusals.
    pub others: bool,
    /// Questions and answers.
    pub questions: bool,
    /// Turns of the assistant without an id after others.
    pub steps: bool,
    /// Calls of custom tools, of namespaces, and of tools that the provider runs.
    pub calls: bool,
    /// Several texts in an answer, or text after a call.
    pub mixed: bool,
    /// Names of authors.
    pub names: bool,
    /// Results without their calls.
    pub orphans: bool,
}

impl Kinds {
    pub const ALL: Self = Kinds {
        opaque: true,
        native: true,
        cache: true,
        media_of_assistant: true,
        media_in_results: true,
        others: true,
        questions: true,
        steps: true,
        calls: true,
        mixed: true,
        names: true,
        orphans: true,
    };
}

/// Returns a random conversation.
pub(crate) fn random(seed: u64, kinds: Kinds) -> Conversation {
    let mut maker = Maker { dice: Dice::new(seed), kinds, count: 0 };
    let mut conversation = Conversation::new("chat");
    conversation.id = Some("session".into());
    let turns = 1 + maker.dice.roll(6);
    for _ in 0..turns {
        let mut turn = maker.turn();
        let is_step =
            conversation.turns.last().is_some_and(|last| last.role == TurnRole::Assistant);
        if kinds.steps && is_step && turn.role == TurnRole::Assistant && maker.dice.is(2) {
            turn.id = None;
        }
        conversation.turns.push(turn);
    }
    conversation
}

struct Maker {
    dice: Dice,
    kinds: Kinds,
    count: u32,
}

impl Maker {
    fn word(&mut self, of: &str) -> String {
        self.count += 1;
        [of, &self.count.to_string()].concat()
    }

    fn turn(&mut self) -> Turn {
        let role = self.dice.pick(&[
            TurnRole::System,
            TurnRole::Developer,
            TurnRole::User,
            TurnRole::User,
            TurnRole::Assistant,
            TurnRole::Assistant,
            TurnRole::Assistant,
        ]);
        let mut turn = Turn::new(role, Vec::new());
        turn.id = Some(self.word("m"));
        if self.kinds.names && self.dice.is(4) {
            turn.name = Some(self.word("name"));
        }
        match role {
            TurnRole::Assistant => self.answer(&mut turn),
            TurnRole::User => {
                if self.kinds.orphans && self.dice.is(4) {
                    let result = self.result("elsewhere");
                    turn.parts.push(Part::new(Content::Result(result)));
                }
                for _ in 0..1 + self.dice.roll(3) {
                    let part = self.said(true);
                    turn.parts.push(part);
                }
                if self.kinds.questions && self.dice.is(5) {
                    let (id, approved) =
                        (self.word("q"), self.dice.pick(&[Some(true), Some(false), None]));
                    let payload = if self.dice.is(2) { Value::Null } else { json(r#"{"note":1}"#) };
                    let reason = self.dice.is(2).then(|| "because".into());
                    turn.parts.push(Part::new(Content::Answer { id, approved, reason, payload }));
                }
            }
            _ => {
                let part = Part::text(self.word("be brief "));
                let cache = self.cache();
                turn.parts.push(Part { cache, ..part });
            }
        }
        turn
    }

    fn answer(&mut self, turn: &mut Turn) {
        let count = 1 + self.dice.roll(4);
        for _ in 0..count {
            let mixed = self.kinds.mixed;
            let part = match self.dice.roll(7) {
                0 | 1 => {
                    let summary = mixed && self.dice.is(3);
                    let part =
                        Part::new(Content::Reasoning { text: self.word("thought "), summary });
                    let members = r#"{"signature":"c2ln"}"#;
                    part.with_opaque(self.opaque(members))
                }
                2 if self.kinds.native && self.kinds.opaque => {
                    let members = [
                        r#"{"type":"redacted_thinking","data":"eHl6"}"#,
                        r#"{"executableCode":{"code":"1"}}"#,
                    ];
                    let members = self.dice.pick(&members);
                    Part::new(Content::Native).with_opaque(opaque("anthropic", members))
                }
                3 if self.kinds.questions => {
                    let id = self.word("q");
                    let payload = self.dice.pick(&[
                        json(r#"{"name":"f","arguments":"{}","server_label":"s"}"#),
                        json(r#"{"question":"really?"}"#),
                        json(r#""ok?""#),
                    ]);
                    Part::new(Content::Question {
                        id,
                        call: self.dice.is(2).then(|| "c1".into()),
                        payload,
                    })
                }
                4 if mixed => self.said(false),
                5 if !mixed => continue,
                _ => {
                    let call = self.call();
                    let cache = self.cache();
                    let members = r#"{"thoughtSignature":"c2ln"}"#;
                    Part {
                        cache,
                        ..Part::new(Content::Call(call)).with_opaque(self.opaque(members))
                    }
                }
            };
            turn.parts.push(part);
        }
        if !mixed_order(&turn.parts) && !self.kinds.mixed {
            turn.parts.sort_by_key(|part| match part.content {
                Content::Reasoning { .. } | Content::Native => 0,
                Content::Call(_) => 2,
                _ => 1,
            });
        }
    }

    /// Returns a text, media or data.
    fn said(&mut self, is_user: bool) -> Part {
        let content = match self.dice.roll(6) {
            0 | 1 if is_user || self.kinds.media_of_assistant => Content::Media(self.media()),
            2 if self.kinds.others => {
                Content::Data(self.dice.pick(&[json(r#"{"a":[1,2]}"#), json("[1]")]))
            }
            3 if self.kinds.others && !is_user => Content::Refusal(self.word("no ")),
            _ => Content::Text(self.word("text ")),
        };
        let cache = self.cache();
        Part {
            cache,
            ..Part::new(content)
                .with_opaque(self.opaque(r#"{"annotations":[{"url":"https://a"}]}"#))
        }
    }

    fn cache(&mut self) -> Option<Value> {
        (self.kinds.cache && self.dice.is(4)).then(|| json(r#"{"type":"ephemeral"}"#))
    }

    fn opaque(&mut self, members: &str) -> Option<Opaque> {
        let format = self.dice.pick(&["anthropic", "gemini", "responses"]);
        if self.kinds.opaque && self.dice.is(3) { opaque(format, members) } else { None }
    }

    fn media(&mut self) -> Media {
        let (kind, media_type) = self.dice.pick(&[
            (MediaForm::Image, "image/png"),
            (MediaForm::Audio, "audio/wav"),
            (MediaForm::Audio, "audio/mpeg"),
            (MediaForm::Video, "video/mp4"),
            (MediaForm::File, "application/pdf"),
        ]);
        let source = match self.dice.roll(5) {
            0 => MediaSource::Url("https://a/b".into()),
            1 => MediaSource::File { provider: "openai".into(), id: self.word("file-") },
            2 if kind == MediaForm::File => MediaSource::Text("plain".into()),
            _ => MediaSource::Base64("iVBORw0KGgo=".into()),
        };
        let media_type = Some(media_type.into());
        let name = self.dice.is(2).then(|| self.word("file"));
        let detail = (kind == MediaForm::Image && self.dice.is(2)).then(|| "low".into());
        Media { kind, source, media_type, name, detail }
    }

    fn call(&mut self) -> Call {
        let mut call = Call::function(self.word("c"), "f", r#"{"city":"Oslo"}"#);
        if self.kinds.calls {
            match self.dice.roll(6) {
                0 => call.by = RunBy::Provider,
                1 => call.by = RunBy::ClientBuiltin,
                2 => call.namespace = Some("files".into()),
                3 => call.input = CallInput::Text("*** Begin Patch\n\"x\"".into()),
                _ => {}
            }
        }
        if !self.dice.is(4) {
            call.result = Some(self.result(&call.id));
        }
        call
    }

    fn result(&mut self, call: &str) -> ToolResult {
        let mut parts = vec![Part::text(self.word("found "))];
        if self.kinds.media_in_results && self.dice.is(3) {
            parts.insert(self.dice.roll(2), Part::new(Content::Media(self.media())));
        }
        if self.kinds.mixed && self.dice.is(4) {
            parts.push(Part::text(self.word("more ")));
        }
        let mut result = ToolResult::new(call, parts);
        result.error = self.dice.is(4);
        result.cache = self.cache();
        result.opaque = self.opaque(r#"{"encrypted_content":"eHl6"}"#);
        result
    }
}

fn mixed_order(parts: &[Part]) -> bool {
    parts.is_empty()
}

/// The tools and settings that a request of a model can have.
pub(crate) fn settings(conversation: &mut Conversation) {
    let schema = Some(json(r#"{"type":"object","properties":{"city":{"type":"string"}}}"#));
    let function = |name: &str| Function {
        name: name.into(),
        description: Some("looks".into()),
        schema: schema.clone(),
        format: "responses".into(),
        ..Function::default()
    };
    conversation.tools = vec![
        Tool::Function(function("f")),
        Tool::Function(Function {
            strict: Some(true),
            cache: Some(json(r#"{"type":"ephemeral"}"#)),
            ..function("g")
        }),
        Tool::Function(Function {
            more: vec![crate::json::Member { key: "defer_loading".into(), value: true.into() }],
            format: "anthropic".into(),
            ..function("h")
        }),
        Tool::Custom {
            name: "apply_patch".into(),
            description: Some("patches".into()),
            format: Some(json(r#"{"type":"grammar","syntax":"lark","definition":"x"}"#)),
        },
        Tool::Namespace {
            name: "files".into(),
            description: None,
            tools: vec![Tool::Function(function("read"))],
        },
        Tool::Hosted {
            purpose: Some("search"),
            format: "anthropic".into(),
            value: json(r#"{"type":"web_search_20250305","name":"web_search","max_uses":2}"#),
        },
        Tool::Hosted {
            purpose: Some("search"),
            format: "gemini".into(),
            value: json(r#"{"googleSearch":{"exclude":["a"]}}"#),
        },
    ];
    let settings = &mut conversation.settings;
    settings.set(SettingKey::Model, "m");
    settings.set(SettingKey::Stream, true);
    settings.set(SettingKey::MaxTokens, 99);
    settings.set(SettingKey::Temperature, json("1.6"));
    settings.set(SettingKey::Stop, json(r#"["a","b"]"#));
    settings.set(SettingKey::Parallel, false);
    settings.set(SettingKey::Effort, "high");
    settings.set(SettingKey::Thinking, "enabled");
    settings.set(SettingKey::Budget, 2_000);
    settings.set(SettingKey::Verbosity, "low");
    settings.set(SettingKey::CacheKey, "k");
    settings.set(SettingKey::Metadata, json(r#"{"a":"b"}"#));
    settings.choice = Some(ToolChoice::Allowed { required: true, names: vec!["f".into()] });
    settings.output =
        Some(Output { name: Some("answer".into()), schema, strict: Some(true), description: None });
}

/// Returns the first difference of two conversations, as text that can be read.
pub(crate) fn difference(left: &Conversation, right: &Conversation) -> Option<Box<str>> {
    if left == right {
        return None;
    }
    let lines = |conversation: &Conversation| alloc::format!("{conversation:#?}");
    let (left, right) = (lines(left), lines(right));
    let mut at = left.lines().zip(right.lines()).enumerate();
    let first = at.find(|(_, (left, right))| left != right).map_or(0, |(line, _)| line);
    let around = |text: &str| {
        let near: Vec<&str> = text.lines().skip(first.saturating_sub(12)).take(30).collect();
        near.join("\n")
    };
    Some(["expected\n", &around(&left), "\ngot\n", &around(&right)].concat().into())
}
