//! The meaning of a run, from its steps: without ids of messages, without kinds of tools, and with
//! joined deltas.

use std::collections::BTreeMap;

use agentwire::json::{Member, Value};

/// The parts of a meaning by name. An absent part counts as empty.
#[derive(Debug, Default, PartialEq)]
pub struct Meaning(BTreeMap<&'static str, Vec<String>>);

/// The texts of a run, by message and part, in their order.
#[derive(Default)]
struct Texts(Vec<((i64, i64), &'static str, String)>);

impl Texts {
    fn add(&mut self, kind: &'static str, step: &Value, piece: &str) {
        let at = (number(step, "message"), number(step, "part"));
        match self.0.iter_mut().find(|(known, ..)| *known == at) {
            Some((_, _, text)) => *text += piece,
            None => self.0.push((at, kind, piece.to_owned())),
        }
    }

    fn replace(&mut self, step: &Value, text: &str) {
        let at = (number(step, "message"), number(step, "part"));
        match self.0.iter_mut().find(|(known, ..)| *known == at) {
            Some((_, _, known)) => *known = text.to_owned(),
            None => self.0.push((at, "text", text.to_owned())),
        }
    }

    fn retract(&mut self, step: &Value) {
        let message = number(step, "message");
        let part = step.get("part").map(|_| number(step, "part"));
        self.0.retain(|((of, number), ..)| {
            *of != message || part.is_some_and(|part| part != *number)
        });
    }
}

fn number(step: &Value, name: &str) -> i64 {
    match step.get(name) {
        Some(Value::Number(digits)) => digits.parse().unwrap_or(-1),
        _ => -1,
    }
}

fn text<'v>(step: &'v Value, name: &str) -> &'v str {
    step.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number_of_members(value: &Value) -> usize {
    if let Value::Object(members) = value { members.len() } else { 0 }
}

/// Some members of a step, in the order of their names.
fn json(step: &Value, names: &[&str]) -> String {
    let members = names.iter().filter_map(|name| Some((*name, sorted(step.get(name)?.clone()))));
    members.map(|(name, value)| format!("{name}={} ", value.to_json())).collect()
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(mut members) => {
            members.retain(|member| !member.value.is_null());
            members.sort_by(|one, other| one.key.cmp(&other.key));
            members
                .iter_mut()
                .for_each(|member| member.value = sorted(std::mem::take(&mut member.value)));
            Value::Object(members)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// Whether an activity is a part that is sent at once.
fn is_media(step: &Value) -> bool {
    step.get("content").is_some_and(|content| text(content, "type") == text(step, "activityType"))
}

/// Data without the id of their message.
fn without_id(mut content: Value) -> Value {
    if let Value::Object(members) = &mut content {
        for member in members.iter_mut().filter(|member| member.key == "data") {
            if let Value::Object(data) = &mut member.value {
                data.retain(|member| member.key != "id");
            }
        }
    }
    content
}

/// Members of metadata in which targets store data that they have no other member for.
const OWN: [&str; 11] = [
    "lane",
    "kind",
    "status",
    "error",
    "name",
    "parent",
    "server_label",
    "usage",
    "input",
    "code",
    "message",
];

/// Steps that AG-UI has as custom events.
const STEPS: [&str; 6] = ["error", "progress", "output", "result", "annotation", "alternative"];

/// Returns an error without the defaults that targets insert if the source has none.
fn error(end: &Value) -> String {
    const CODES: [&str; 4] = ["unknown_error", "server_error", "api_error", "AGENT_UNKNOWN_ERROR"];
    const MESSAGES: [&str; 3] =
        ["The run failed.", "Unknown agent error", "The response has failed."];
    let Some(error) = end.get("error") else { return String::new() };
    let said = [("code", &CODES[..]), ("message", &MESSAGES[..])].map(|(name, made)| {
        let said = text(error, name);
        if made.contains(&said) { "" } else { said }
    });
    said.join(" ").trim().to_owned()
}

/// Tokens without the counts that are zero.
fn counts(usage: Value) -> Value {
    let Value::Object(members) = usage else { return usage };
    let kept = members.into_iter().map(|member| (member.key, counts(member.value)));
    let is_zero = |value: &Value| match value {
        Value::Number(digits) => digits == "0",
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    Value::Object(
        kept.filter(|(_, value)| !is_zero(value))
            .map(|(key, value)| Member { key, value })
            .collect(),
    )
}

/// The members of metadata: of those of one name the last one counts.
fn members(value: Option<&Value>) -> Vec<(String, String)> {
    let Some(Value::Object(members)) = value else { return Vec::new() };
    let kept = members.iter().filter(|member| !OWN.contains(&&*member.key));
    kept.map(|member| (member.key.clone(), sorted(member.value.clone()).to_json())).collect()
}

impl Meaning {
    /// Returns the meaning of steps. With `values`, inputs and outputs of tools are JSON values:
    /// their spelling does not count, and no input is an empty object.
    pub fn of(lines: &str, values: bool) -> Self {
        let mut meaning = Meaning::default();
        let (mut texts, mut calls) =
            (Texts::default(), Vec::<((i64, i64), String, String, String)>::new());
        let (mut answered, mut media) = (Vec::new(), Vec::<((i64, i64), Option<Value>)>::new());
        let (mut metadata, mut runs) = (BTreeMap::new(), 0);
        for line in lines.lines() {
            let step = &Value::parse(line, 128).expect("a step");
            let at = (number(step, "message"), number(step, "part"));
            match text(step, "type") {
                // Most targets have one run.
                "reopened" => runs += 1,
                _ if runs > 0 => {}
                // It is in the list of messages, which round-trips as a list.
                _ if step.get("listed").is_some() => {}
                "start" => meaning.add("model", json(step, &["model"])),
                "text" => texts.add("text", step, text(step, "piece")),
                // AG-UI and AG-Kit have these as text.
                "refusal" => texts.add("text", step, text(step, "piece")),
                "reasoning" => texts.add("reasoning", step, text(step, "piece")),
                "replace" if step.get("call").is_some() => {
                    let call = calls.iter_mut().find(|(known, ..)| *known == at);
                    call.into_iter()
                        .for_each(|(.., arguments)| *arguments = text(step, "text").to_owned());
                }
                "replace" => texts.replace(step, text(step, "text")),
                "retract" => {
                    texts.retract(step);
                    media.retain(|((of, part), _)| {
                        *of != at.0 || step.get("part").is_some_and(|_| *part != at.1)
                    });
                }
                "call" => {
                    calls.push((
                        at,
                        text(step, "id").into(),
                        text(step, "name").into(),
                        String::new(),
                    ));
                }
                "arguments" => {
                    let call = calls.iter_mut().rev().find(|(known, ..)| *known == at);
                    call.into_iter().for_each(|(.., arguments)| *arguments += text(step, "piece"));
                }
                "result" if step.get("preview").is_none() => {
                    let output = Some(text(step, "output"));
                    let output = output.filter(|output| values && output.starts_with(['{', '[']));
                    let output = output.and_then(|output| Value::parse(output, 128).ok());
                    let said = output.map(|output| {
                        let id = step.get("id").cloned().unwrap_or_default();
                        Value::from([("id", id), ("output", output.to_json().into())])
                    });
                    meaning.add("results", json(said.as_ref().unwrap_or(step), &["id", "output"]))
                }
                "tool-error" => meaning.add("tool errors", json(step, &["id", "message"])),
                "interrupt" => {
                    let mut step = step.clone();
                    // The payload of a question about a call is the call, if the source has no
                    // other one.
                    let (of, payload) = (text(&step, "call"), step.get("payload"));
                    let is_call = calls.iter().any(|(_, id, name, _)| {
                        let has = |payload| {
                            text(payload, "name") == name && number_of_members(payload) == 2
                        };
                        *id == of && payload.is_some_and(has)
                    });
                    if values && is_call {
                        step.insert("payload", Value::Null);
                    }
                    meaning.add("questions", json(&step, &["id", "payload"]))
                }
                "answer" => {
                    answered.push(text(step, "id").to_owned());
                    meaning.add("answers", json(step, &["id", "approved"]));
                }
                "whole" if step.get("preview").is_none() => {
                    media.push((at, step.get("content").cloned()))
                }
                // Data that is not text is an activity in AG-UI.
                "activity" if is_media(step) => {
                    media.push(((-1, -1), step.get("content").cloned()))
                }
                "metadata" => metadata.extend(members(step.get("value"))),
                "close" => metadata.extend(members(step.get("metadata"))),
                "state" | "state-patch" => meaning.add("state", json(step, &["value", "patch"])),
                "activity" | "activity-patch" => {
                    meaning.add("activities", json(step, &["activityType", "content", "patch"]))
                }
                "annotation" => meaning.add("annotations", json(step, &["annotation"])),
                // A target that writes Responses makes up items, and writes their content from
                // other steps.
                "opaque" if text(step, "format") == "responses" => {
                    let members = step.get("members").unwrap_or(&Value::Null);
                    ["encrypted_content", "phase"]
                        .iter()
                        .filter_map(|name| members.get(name))
                        .for_each(|value| {
                            meaning.add("opaque", value.to_json());
                        });
                }
                "opaque" => meaning
                    .add("opaque", json(step, &["format", "members", "block", "call", "result"])),
                "custom" if STEPS.contains(&text(step, "name")) => {}
                "custom" => meaning.add("custom", json(step, &["name", "value"])),
                // An answer of a model, which the AI SDK begins itself and which AG-UI names.
                "step-start" if values && ["", "step"].contains(&text(step, "name")) => {}
                "step-start" => meaning.add("stretches", json(step, &["name"])),
                "lane-start" | "lane-end" => {
                    meaning.add("lanes", json(step, &["id", "name", "status", "error"]))
                }
                "end" => meaning.end(step, &answered),
                _ => {}
            }
        }
        for kind in ["text", "reasoning"] {
            let joined: String =
                texts.0.iter().filter(|(_, of, _)| *of == kind).map(|(.., text)| &**text).collect();
            // Where a reasoning is one text, its parts are paragraphs.
            let paragraphs = kind == "reasoning" && values;
            meaning.add(kind, if paragraphs { joined.replace("\n\n", "") } else { joined });
        }
        for (_, content) in media {
            let content = without_id(content.unwrap_or_default());
            let part = if text(&content, "type") == "data" { "data" } else { "media" };
            meaning.add(part, sorted(content).to_json());
        }
        for (_, id, name, arguments) in calls {
            let value = Value::parse(&arguments, 128).ok().filter(|_| values);
            let spelled = value.map_or(arguments, |value| value.to_json());
            let arguments = if values && spelled.is_empty() { "{}" } else { &*spelled };
            meaning.add("calls", format!("{id} {name} {arguments}"));
        }
        for (name, value) in metadata {
            meaning.add("metadata", format!("{name}={value}"));
        }
        // Their order is not their meaning.
        ["results", "tool errors", "opaque"].iter().for_each(|part| {
            if let Some(list) = meaning.0.get_mut(part) {
                list.sort();
                list.dedup();
            }
        });
        meaning
    }

    fn end(&mut self, end: &Value, answered: &[String]) {
        let is_open = |question: &&String| {
            !answered.iter().any(|id| question.starts_with(&format!("id={id:?} ")))
        };
        let asks = self
            .0
            .get("questions")
            .is_some_and(|questions| questions.iter().any(|question| is_open(&question)));
        let (status, reason) = (text(end, "status"), text(end, "reason"));
        let waits = asks && (status == "completed" || status == "incomplete" && reason != "eof");
        self.add("status", if waits { "waits".into() } else { status.into() });
        if !waits {
            self.add("reason", reason.into());
        }
        self.add("error", error(end));
        self.add("result", json(end, &["result"]));
        let usage = end
            .get("usage")
            .cloned()
            .map(counts)
            .filter(|usage| *usage != Value::Object(Vec::new()));
        self.add("usage", usage.map(|usage| sorted(usage).to_json()).unwrap_or_default());
    }

    fn add(&mut self, part: &'static str, said: String) {
        if !said.is_empty() {
            self.0.entry(part).or_default().push(said);
        }
    }

    /// Returns the parts that differ, with both values.
    pub fn differences(&self, other: &Meaning) -> Vec<(&'static str, String, String)> {
        let mut parts: Vec<&'static str> = self.0.keys().chain(other.0.keys()).copied().collect();
        parts.sort_unstable();
        parts.dedup();
        let said = |meaning: &Meaning, part| {
            meaning.0.get(part).map_or(String::new(), |said| said.join(" | "))
        };
        // Interleaved texts may be written one after the other.
        let characters = |text: String| {
            let mut characters: Vec<char> = text.chars().collect();
            characters.sort_unstable();
            characters
        };
        let is_same = |part: &'static str| match part {
            "text" => characters(said(self, part)) == characters(said(other, part)),
            part => self.0.get(part) == other.0.get(part),
        };
        let differ = parts.into_iter().filter(|part| !is_same(part));
        differ.map(|part| (part, said(self, part), said(other, part))).collect()
    }
}
