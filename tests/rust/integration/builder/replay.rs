//! The real builder's calls, one by one: the cases `build_*` of `tests/data/corpus/agent-api` that
//! have calls.
//!
//! Where our builder requires a call that the Python one does not (an opening event, for example),
//! the replay inserts the call that the refusal names; all remaining differences are listed.

use agentwire::UsageError;
use agentwire::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, PartOrder, ResponseBuilder,
};
use agentwire::agent_api::{Message, MessageType, Role, RunStatus, Style};
use agentwire::builder::IdSource;
use agentwire::json::Value;
use agentwire_cases::{Kind, select};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

/// The inserted calls, by case: the codes of the refusals, in their order.
const INSERTED: &[(&str, &[&str])] = &[
    ("build_01_text", &["content-before-message"]),
    (
        "build_02_all_types",
        &["response-not-created", "response-not-started", "content-before-message"],
    ),
    (
        "build_05_order",
        &["response-not-created", "response-not-started", "content-before-message", "index-gap"],
    ),
    (
        "build_07_reset",
        &[
            "response-not-started",
            "content-before-message",
            "reset-in-stream",
            "response-not-created",
            "response-not-started",
        ],
    ),
    ("build_09_update_response_add_message", &["response-not-created", "response-not-started"]),
];

/// Case, number of the call, reason: everything that differs.
const DEVIATIONS: &[(&str, usize, &str)] = &[
    ("build_02_all_types", 17, "video contents can be built"),
    ("build_06_explicit_index_kwarg", 1, "an index can be given, as the documentation shows"),
    ("build_07_reset", 6, "a builder from before the reset is refused"),
    (
        "build_09_update_response_add_message",
        1,
        "a message that is added is opened, so it is in progress",
    ),
];

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
}

struct Recorded(VecDeque<String>);

impl IdSource for Recorded {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0.pop_front().unwrap_or_else(|| format!("{prefix}unrecorded"))
    }
}

#[test]
fn calls_of_the_official_builder_have_the_same_results() {
    let mut deviated = Vec::new();
    for case in select("agent-api", Kind::Build) {
        let Some(text) = case.find("calls.json") else { continue };
        let file = Value::parse(&text, 64).unwrap();
        let mut replay = Replay::new(&file);
        for (number, op) in items(file.get("calls").unwrap()).iter().enumerate() {
            if let Err(difference) = replay.op(op) {
                let known =
                    DEVIATIONS.iter().any(|(name, at, _)| (*name, *at) == (&case.name, number));
                assert!(known, "{case}, call {number}: {difference}");
                deviated.push((case.name.clone(), number));
            }
        }
        let inserted = INSERTED
            .iter()
            .find(|(name, _)| *name == case.name)
            .map_or(&[][..], |(_, codes)| codes);
        assert_eq!(replay.inserted, inserted, "{case}");
    }
    let listed: Vec<_> = DEVIATIONS.iter().map(|(name, at, _)| ((*name).to_owned(), *at)).collect();
    assert_eq!(deviated, listed);
}

struct Replay {
    response: ResponseBuilder,
    messages: HashMap<String, MessageBuilder>,
    /// With the name of their message.
    contents: HashMap<String, (String, ContentBuilder)>,
    made: HashMap<String, u32>,
    inserted: Vec<&'static str>,
}

impl Replay {
    fn new(file: &Value) -> Self {
        let ops = items(file.get("calls").unwrap());
        let ctor = file.get("options").unwrap();
        let given = string(ctor, "response_id");
        let mut ids = VecDeque::new();
        for op in ops {
            let after = op.get("response_after").unwrap();
            let output = items(after.get("output").unwrap());
            for id in [after].into_iter().chain(output).filter_map(|v| string(v, "id")) {
                let foreign = id == "msg_ext";
                if given.as_ref() != Some(&id) && !foreign && !ids.contains(&id) {
                    ids.push_back(id);
                }
            }
        }
        let created = ops[0].get("response_after").unwrap().get("created_at").unwrap();
        NOW.set(created.to_json().parse().unwrap());
        let mut options = BuilderOptions::new(Recorded(ids), || NOW.get())
            .numbering(false)
            .part_order(PartOrder::Completion);
        if let Some(id) = given {
            options = options.response_id(id);
        }
        if let Some(id) = string(ctor, "session_id") {
            options = options.session_id(id);
        }
        Replay {
            response: ResponseBuilder::new(options),
            messages: HashMap::new(),
            contents: HashMap::new(),
            made: HashMap::new(),
            inserted: Vec::new(),
        }
    }

    /// Runs one call, and compares its return value and the response after it.
    fn op(&mut self, op: &Value) -> Result<(), String> {
        let got = loop {
            match self.call(op) {
                Err(misuse) if self.insert(op, &misuse) => self.inserted.push(misuse.code),
                got => break got,
            }
        };
        let raised = string(op, "raised");
        let got = match (got, raised) {
            (Err(_), Some(_)) => None,
            (Err(misuse), None) => return Err(misuse.to_string()),
            (Ok(got), Some(raised)) => return Err(format!("{got:?} instead of {raised}")),
            (Ok(got), None) => got,
        };
        if let Some(got) = got {
            same(&got, op.get("returned").unwrap(), false)?;
        }
        let now = self.response.get_response_data().to_json(Style::Wire);
        same(&now, op.get("response_after").unwrap(), true)
    }

    /// Runs the call that the error names; returns false if the recording contains it.
    fn insert(&self, op: &Value, misuse: &UsageError) -> bool {
        let target = string(op, "target").unwrap();
        let message = match self.contents.get(&target) {
            Some((message, _)) => message,
            None => &target,
        };
        match misuse.code {
            "response-not-created" => drop(self.response.created().unwrap()),
            "response-not-started" => drop(self.response.in_progress().unwrap()),
            "content-before-message" | "message-not-opened" => {
                drop(self.messages[message].in_progress().unwrap());
            }
            "index-gap" => drop(self.contents["c0"].1.set_text("").unwrap()),
            "reset-in-stream" => {
                drop(self.response.finish_with(RunStatus::Incomplete, None));
            }
            _ => return false,
        }
        true
    }

    /// The returned event or value, as JSON; `None` for a builder or nothing.
    fn call(&mut self, op: &Value) -> Result<Option<String>, UsageError> {
        let target = string(op, "target").unwrap();
        let call = string(op, "call").unwrap();
        let name = string(op, "as").unwrap_or_default();
        let args = items(op.get("args").unwrap());
        let kwargs = op.get("kwargs").unwrap();
        let arg = |at: usize, name: &str| match args.get(at) {
            Some(value) => value.as_str().map(str::to_owned),
            None => string(kwargs, name),
        };
        if target == "r" {
            let event = match call.as_str() {
                "created" => self.response.created()?,
                "in_progress" => self.response.in_progress()?,
                "completed" => self.response.completed()?,
                "reset" => {
                    self.response.reset()?;
                    return Ok(None);
                }
                "add_message" => {
                    let id = string(&args[0], "id").unwrap();
                    let message = Message::new(id, MessageType::Message, Some(Role::Assistant));
                    let mut events = self.response.add_message(message)?;
                    assert_eq!(events.len(), 1);
                    drop(events.pop());
                    return Ok(None);
                }
                "create_message_builder" => {
                    let role = arg(0, "role").unwrap_or("assistant".to_owned());
                    let kind = arg(1, "message_type").unwrap_or("message".to_owned());
                    let made = self.response.create_message_builder(&*role, &*kind)?;
                    self.messages.insert(name, made);
                    return Ok(None);
                }
                other => panic!("{other}"),
            };
            return Ok(Some(event.into_json()));
        }
        if let Some(message) = self.messages.get(&target) {
            return Ok(match call.as_str() {
                "create_content_builder" => {
                    let kind = arg(0, "content_type").unwrap();
                    // Upstream counts builders, so the index is passed here.
                    let next = self.made.entry(target.clone()).or_default();
                    let index = match kwargs.get("index") {
                        Some(index) => index.to_json().parse().unwrap(),
                        None => *next,
                    };
                    let made = message.create_content_builder_at(&*kind, index)?;
                    *next += 1;
                    self.contents.insert(name, (target, made));
                    None
                }
                "complete" => Some(message.complete()?.into_json()),
                "get_message_data" => Some(message.get_message_data().to_json(Style::Wire)),
                other => panic!("{other}"),
            });
        }
        let (_, content) = &self.contents[&target];
        let event = match (call.as_str(), args.first()) {
            ("complete", None) => content.complete()?,
            ("set_data", Some(data)) => content.set_data(data.clone())?,
            (call, arg) => {
                // `None` is the empty text.
                let text = arg.and_then(Value::as_str).unwrap_or_default();
                match call {
                    "add_text_delta" => content.add_text_delta(text)?,
                    "add_delta" => content.add_delta(text)?,
                    "set_text" => content.set_text(text)?,
                    "set_image_url" => content.set_image_url(text)?,
                    "set_refusal" => content.set_refusal(text)?,
                    other => panic!("{other}"),
                }
            }
        };
        Ok(Some(event.into_json()))
    }
}

/// `lax`: the response's own status may be ahead, because calls were inserted.
fn same(got: &str, recorded: &Value, lax: bool) -> Result<(), String> {
    let mut got = Value::parse(got, 64).unwrap();
    let mut recorded = recorded.clone();
    for value in [&mut got, &mut recorded] {
        empty_is_null(value);
        if lax {
            value.insert("status", Value::Null);
        }
    }
    match got == recorded {
        true => Ok(()),
        false => Err(format!("{} instead of {}", got.to_json(), recorded.to_json())),
    }
}

/// The model has an empty list where the wire has null.
fn empty_is_null(value: &mut Value) {
    if let Value::Object(members) = value {
        for member in members {
            if member.key == "content" && member.value == Value::Array(Vec::new()) {
                member.value = Value::Null;
            }
            empty_is_null(&mut member.value);
        }
    } else if let Value::Array(items) = value {
        items.iter_mut().for_each(empty_is_null);
    }
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        _ => panic!("not a list: {}", value.to_json()),
    }
}

fn string(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}
