//! Random conversations, as clients have them: also broken ones. [`request`] writes one as the
//! request of a protocol.

mod agents;
mod ai_sdk;
mod anthropic;
mod chat;
mod gemini;
mod interactions;
mod media;
mod responses;
mod settings;
mod strange;

use agentwire::ProtocolKind;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use media::{Media, Way};

/// A conversation.
#[derive(Clone, Debug)]
pub struct Talk {
    pub said: Vec<Said>,
    pub tools: Vec<Offer>,
    pub choice: Option<Choice>,
    pub output: Option<Output>,
    /// The numbers of settings in the table of the protocol, each with the number of its value.
    pub settings: Vec<(usize, usize)>,
    /// The number of a member of the request that only some protocol has.
    pub member: Option<usize>,
    /// The id of the conversation at the client.
    pub id: Option<&'static str>,
}

/// What one party says.
#[derive(Clone, Debug)]
pub enum Said {
    Instruction {
        developer: bool,
        text: String,
    },
    User {
        id: Option<&'static str>,
        parts: Vec<Part>,
    },
    Answer {
        id: Option<&'static str>,
        parts: Vec<Spoken>,
    },
    Result {
        call: &'static str,
        parts: Vec<Part>,
        error: bool,
    },
    /// The number of an unusual item or message.
    Strange(usize),
}

/// A part of a message of the user, or of a result.
#[derive(Clone, Debug)]
pub enum Part {
    Text {
        text: String,
        cache: bool,
    },
    Media(Media),
    /// The number of an unusual part.
    Strange(usize),
}

/// A part of an answer.
#[derive(Clone, Debug)]
pub enum Spoken {
    Text(String),
    /// With the number of its state, if the provider has given one.
    Reasoning {
        text: String,
        state: Option<u32>,
    },
    /// Reasoning that only the provider can read.
    Hidden(u32),
    Refusal(String),
    Call {
        id: &'static str,
        name: &'static str,
        input: Input,
        state: Option<u32>,
    },
    /// The number of an unusual part.
    Strange(usize),
}

/// The input of a call.
#[derive(Clone, Debug)]
pub enum Input {
    /// Text that should be JSON.
    Json(String),
    /// The text of a custom tool.
    Text(String),
}

/// A tool that the client offers.
#[derive(Clone, Debug)]
pub enum Offer {
    Function {
        name: &'static str,
        schema: usize,
        strict: Option<bool>,
        cache: bool,
    },
    Custom {
        name: &'static str,
        grammar: bool,
    },
    Namespace {
        name: &'static str,
        tools: Vec<&'static str>,
    },
    /// The number of a tool of the provider.
    Hosted(usize),
}

/// Which tools can be called.
#[derive(Clone, Debug)]
pub enum Choice {
    Auto,
    None,
    Required,
    Named(&'static str),
    Allowed { required: bool, names: Vec<&'static str> },
}

/// The format of the answer.
#[derive(Clone, Debug)]
pub enum Output {
    Object,
    Schema { strict: Option<bool>, named: bool },
}

/// The ids of calls: usual, doubled, empty, too long, and with letters that some servers refuse.
const CALL_IDS: [&str; 8] = ["c1", "c2", "c3", "call.with.dots", LONG_ID, "", "c1", "fc_ü 1"];
const LONG_ID: &str = "call_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

/// The names of tools.
const NAMES: [&str; 8] = ["f", "g", "a.b", LONG_NAME, "ümlaut", "read file", "1st", "f"];
/// The names of tools whose input is a text.
const TEXT_NAMES: [&str; 3] = ["patch", "pätch 2", "apply_patch"];
const LONG_NAME: &str =
    "very_very_very_very_very_very_very_very_very_very_very_very_very_very_long_name";

/// The ids of messages.
const MESSAGE_IDS: [&str; 4] = ["msg_1", "x", "", "7d0c1f2e-4a52-4f6e-9a54-0e3f2f7b8a11"];

/// The schemas of functions.
pub fn schema(number: usize) -> Option<Value> {
    let city = || json!({"city": {"type": "string"}});
    Some(match number {
        0 => return None,
        1 => {
            json!({"type": "object", "properties": city(), "required": ["city"], "additionalProperties": false})
        }
        2 => json!({}),
        3 => json!({"type": "object"}),
        4 => {
            json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b": {"type": ["integer", "null"]}}})
        }
        5 => {
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"c": {"$ref": "#/$defs/c"}}, "$defs": {"c": {"type": "string", "const": "x"}}})
        }
        6 => json!({"anyOf": [{"type": "object", "properties": city()}, {"type": "object"}]}),
        _ => json!({"type": "string"}),
    })
}

/// The text that a word is found by.
fn word() -> impl Strategy<Value = String> {
    (0u32..1_000_000).prop_map(|number| format!("w{number}w"))
}

/// Reasoning: its texts are not among those that have to be kept.
fn thought() -> impl Strategy<Value = String> {
    prop_oneof![6 => (0u32..1_000_000).prop_map(|number| format!("r{number}r")), 1 => Just(String::new())]
}

/// The words of texts in a request, except for those of reasoning.
pub fn said_in(request: &str) -> impl Iterator<Item = &str> {
    request.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| {
        let number = word.strip_prefix('w').and_then(|word| word.strip_suffix('w'));
        number.is_some_and(|number| {
            number.len() > 2 && number.bytes().all(|digit| digit.is_ascii_digit())
        })
    })
}

/// Whether a loss can be that of a text.
pub fn is_content_loss(kind: &str) -> bool {
    ["history", "hosted-call", "message-empty", "opaque", "part", "role"].contains(&kind)
}

/// Texts: words, blank ones, and those that look like something else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => word(),
        2 => select(&["", " ", "\n\t", "\u{a0}"][..]).prop_map(String::from),
        1 => word().prop_map(|word| format!("  {word} \n")),
        1 => word().prop_map(|word| format!("<system>{word}</system>")),
        1 => word().prop_map(|word| format!("data:text/plain;base64,{word}")),
        1 => select(&["aw1.", "aw1.anthropic.x.!!", "aw1.responses..e30", "aw1.nonsense", "{}", "null"][..]).prop_map(String::from),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        6 => (text(), proptest::bool::weighted(0.1)).prop_map(|(text, cache)| Part::Text { text, cache }),
        2 => media::media().prop_map(Part::Media),
        1 => (0..strange::PARTS).prop_map(Part::Strange),
    ]
}

fn json_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        4 => word().prop_map(|word| Input::Json(format!("{{\"city\":\"{word}\"}}"))),
        2 => select(&["{}", "", " ", "{bad", "\"s\"", "[1]", "null", "7", "{\"a\":1,\"a\":2}"][..]).prop_map(|json| Input::Json(json.into())),
    ]
}

fn spoken() -> impl Strategy<Value = Spoken> {
    let state = || weighted(0.6, 0u32..9);
    let named = prop_oneof![
        3 => (select(&NAMES[..]), json_input()),
        1 => (select(&TEXT_NAMES[..]), text().prop_map(Input::Text)),
    ];
    let call = (select(&CALL_IDS[..]), named, state());
    prop_oneof![
        4 => text().prop_map(Spoken::Text),
        2 => (thought(), state()).prop_map(|(text, state)| Spoken::Reasoning { text, state }),
        1 => (0u32..9).prop_map(Spoken::Hidden),
        1 => text().prop_map(Spoken::Refusal),
        4 => call.prop_map(|(id, (name, input), state)| Spoken::Call { id, name, input, state }),
        1 => (0..strange::SPOKEN).prop_map(Spoken::Strange),
    ]
}

fn said() -> impl Strategy<Value = Said> {
    let id = || weighted(0.5, select(&MESSAGE_IDS[..]));
    prop_oneof![
        1 => (any::<bool>(), text()).prop_map(|(developer, text)| Said::Instruction { developer, text }),
        3 => (id(), vec(part(), 0..4)).prop_map(|(id, parts)| Said::User { id, parts }),
        4 => (id(), vec(spoken(), 0..5)).prop_map(|(id, parts)| Said::Answer { id, parts }),
        4 => (select(&CALL_IDS[..]), vec(part(), 0..3), proptest::bool::weighted(0.2))
            .prop_map(|(call, parts, error)| Said::Result { call, parts, error }),
        1 => (0..strange::SAID).prop_map(Said::Strange),
    ]
}

fn offer() -> impl Strategy<Value = Offer> {
    let name = || select(&NAMES[..]);
    let strict = weighted(0.5, any::<bool>());
    prop_oneof![
        5 => (name(), 0usize..8, strict, proptest::bool::weighted(0.2))
            .prop_map(|(name, schema, strict, cache)| Offer::Function { name, schema, strict, cache }),
        1 => (select(&TEXT_NAMES[..]), any::<bool>()).prop_map(|(name, grammar)| Offer::Custom { name, grammar }),
        1 => (name(), vec(name(), 0..3)).prop_map(|(name, tools)| Offer::Namespace { name, tools }),
        2 => (0..strange::HOSTED).prop_map(Offer::Hosted),
    ]
}

fn choice() -> impl Strategy<Value = Choice> {
    let name = || select(&NAMES[..]);
    prop_oneof![
        Just(Choice::Auto),
        Just(Choice::None),
        Just(Choice::Required),
        name().prop_map(Choice::Named),
        (any::<bool>(), vec(name(), 1..3))
            .prop_map(|(required, names)| Choice::Allowed { required, names }),
    ]
}

fn output() -> impl Strategy<Value = Output> {
    prop_oneof![
        Just(Output::Object),
        (weighted(0.5, any::<bool>()), any::<bool>())
            .prop_map(|(strict, named)| Output::Schema { strict, named }),
    ]
}

/// Conversations with at most this number of messages.
pub fn talk(messages: usize) -> impl Strategy<Value = Talk> {
    let settings = vec((any::<usize>(), any::<usize>()), 0..5);
    let member = weighted(0.2, 0..strange::MEMBERS);
    let id = weighted(0.3, select(&["conv_1", "t1", ""][..]));
    let tools = prop_oneof![vec(offer(), 0..1), vec(offer(), 0..5)];
    let head = (tools, weighted(0.3, choice()), weighted(0.2, output()), settings, member, id);
    (vec(said(), 0..=messages), head).prop_map(
        |(said, (tools, choice, output, settings, member, id))| Talk {
            said,
            tools,
            choice,
            output,
            settings,
            member,
            id,
        },
    )
}

impl Talk {
    /// Returns the conversation without what only one protocol has.
    pub fn plain(&self) -> Self {
        let part = |part: &Part| {
            !matches!(part, Part::Strange(_) | Part::Media(Media { way: Way::Broken, .. }))
        };
        let said = self.said.iter().filter(|said| !matches!(said, Said::Strange(_))).cloned();
        let said = said.map(|mut said| {
            match &mut said {
                Said::User { parts, .. } | Said::Result { parts, .. } => parts.retain(part),
                Said::Answer { parts, .. } => {
                    parts.retain(|part| !matches!(part, Spoken::Strange(_)))
                }
                Said::Instruction { .. } | Said::Strange(_) => {}
            }
            said
        });
        let function = |tool: &Offer| match tool {
            Offer::Function { name, schema, strict, cache } => Some(Offer::Function {
                name,
                schema: *schema,
                strict: strict.or(Some(false)),
                cache: *cache,
            }),
            _ => None,
        };
        let tools = self.tools.iter().filter_map(function).collect();
        Talk { said: said.collect(), tools, member: None, settings: Vec::new(), ..self.clone() }
    }
}

/// The text that only the provider of a protocol has issued. Its beginning names the protocol.
pub fn state(protocol: ProtocolKind, number: u32) -> String {
    format!("{}-state-{number}", protocol.as_str())
}

/// Whether a text was issued by the provider of a protocol.
pub fn issued_by(protocol: ProtocolKind) -> impl Fn(&str) -> bool {
    let beginning = format!("{}-state-", protocol.as_str());
    move |text| text.starts_with(&beginning)
}

/// Writes the conversation as the request of a protocol.
pub fn request(protocol: ProtocolKind, talk: &Talk) -> Value {
    let mut request = match protocol {
        ProtocolKind::Chat => chat::request(talk),
        ProtocolKind::Responses => responses::request(talk),
        ProtocolKind::Anthropic => anthropic::request(talk),
        ProtocolKind::Gemini => gemini::request(talk),
        ProtocolKind::Interactions => interactions::request(talk),
        ProtocolKind::AgUi => agents::ag_ui(talk),
        ProtocolKind::AgKit => agents::ag_kit(talk),
        ProtocolKind::A2a => agents::a2a(talk),
        ProtocolKind::AiSdk => ai_sdk::request(talk),
        ProtocolKind::AgentScope => agents::agentscope(talk),
        ProtocolKind::AgentApi => agents::agent_api(talk),
        _ => panic!("a protocol whose requests are not written here"),
    };
    settings::add(protocol, &talk.settings, &mut request);
    strange::add_member(protocol, talk.member, &mut request);
    request
}

/// Sets the member at a path of names with dots.
pub fn set(object: &mut Value, path: &str, value: Value) {
    let place = path.split('.').fold(object, |place, name| {
        if !place.is_object() {
            *place = json!({});
        }
        &mut place[name]
    });
    *place = value;
}

/// Sets a member of an object, if there is a value.
pub fn set_some(object: &mut Value, path: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        set(object, path, value.into());
    }
}

/// Returns the text of parts: what protocols have whose results are texts.
pub fn text_of(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
