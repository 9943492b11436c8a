//! Checks that a snapshot stays within the limits of its reader.

use agentwire::AnySnapshot;
use agentwire::ag_kit::{self, Part};
use agentwire::ag_ui;
use agentwire::agent_api::{self, Message, Payload, Style};
use agentwire::json::{Member, Value};
use agentwire::read::AnyOutcome;
use agentwire::{Limits, Report};

use crate::documents::depth;

/// The weight of each object, in addition to its members of any length.
const OBJECT: u64 = 256;

/// Panics if a part of the snapshot or the report is beyond a limit.
pub(crate) fn hold(limits: &Limits, outcome: &AnyOutcome) {
    report(limits, &outcome.report);
    let bytes = match &outcome.snapshot {
        AnySnapshot::AgentApi(snapshot) => {
            let agent_api::Snapshot { response, tool_calls, .. } = &**snapshot;
            at_most("tool calls", tool_calls.len(), limits.tool_calls);
            at_most("messages", response.output.len(), limits.messages);
            id(limits, &response.id);
            extra(limits, &response.extra);
            let messages: u64 =
                response.output.iter().map(|message| OBJECT + of_message(limits, message)).sum();
            messages + OBJECT * tool_calls.len() as u64
        }
        AnySnapshot::AgentScope(reply) => {
            at_most("blocks", reply.content.len(), limits.messages);
            at_most("events of the service", reply.custom.len(), limits.contents);
            for result in reply.tool_results() {
                id(limits, &result.id);
                at_most("blocks of a result", result.output.len(), limits.contents);
            }
            OBJECT * (reply.content.len() + reply.custom.len()) as u64
        }
        AnySnapshot::AgKit(turn) => {
            at_most("parts", turn.parts.len(), limits.messages);
            turn.parts.iter().map(|part| OBJECT + of_part(limits, part)).sum()
        }
        AnySnapshot::AgUi(snapshot) => {
            at_most("messages", snapshot.messages.len(), limits.messages);
            let calls = snapshot.messages.iter().filter_map(|message| message.tool_calls.as_ref());
            at_most("tool calls", calls.map(Vec::len).sum(), limits.tool_calls);
            snapshot.messages.iter().map(|message| OBJECT + of_thread(limits, message)).sum()
        }
        AnySnapshot::Responses(response) => {
            at_most("items", response.output.len(), limits.messages);
            for item in &response.output {
                item.id.iter().flatten().for_each(|text| self::id(limits, text));
                item.call_id.iter().flatten().for_each(|text| self::id(limits, text));
            }
            OBJECT * response.output.len() as u64
        }
        AnySnapshot::Chat(completion) => {
            at_most("choices", completion.choices.len(), limits.messages);
            let messages = completion.choices.iter().map(|choice| &choice.message);
            let calls: usize =
                messages.map(|message| message.tool_calls.as_ref().map_or(0, Vec::len)).sum();
            at_most("tool calls", calls, limits.tool_calls);
            OBJECT * (completion.choices.len() + calls) as u64
        }
        AnySnapshot::Anthropic(message) => {
            at_most("blocks", message.content.len(), limits.messages);
            OBJECT * message.content.len() as u64
        }
        AnySnapshot::Gemini(response) => {
            at_most("candidates", response.candidates.len(), limits.messages);
            let parts = response.candidates.iter().map(|candidate| candidate.content.parts.len());
            parts.clone().for_each(|parts| at_most("parts", parts, limits.contents));
            OBJECT * (response.candidates.len() + parts.sum::<usize>()) as u64
        }
        AnySnapshot::Interactions(interaction) => {
            at_most("steps", interaction.steps.len(), limits.messages);
            id(limits, &interaction.id);
            interaction.last_event_id.iter().for_each(|text| id(limits, text));
            let lists = interaction.steps.iter().flat_map(|step| [&step.content, &step.summary]);
            let contents = lists.map(|list| list.as_ref().map_or(0, Vec::len));
            contents.clone().for_each(|contents| at_most("contents", contents, limits.contents));
            OBJECT * (interaction.steps.len() + contents.sum::<usize>()) as u64
        }
        AnySnapshot::AiSdk(message) => {
            at_most("parts", message.parts.len(), limits.messages);
            OBJECT * message.parts.len() as u64
        }
        AnySnapshot::A2a(snapshot) => {
            let task = snapshot.task.iter();
            let artifacts = task.flat_map(|task| task.artifacts.iter().flatten());
            let mut objects = 0;
            for artifact in artifacts {
                let parts = artifact.parts.as_ref().map_or(0, Vec::len);
                at_most("parts", parts, limits.messages);
                artifact.artifact_id.iter().for_each(|text| id(limits, text));
                objects += 1 + parts as u64;
            }
            at_most(
                "artifacts",
                objects as usize,
                limits.messages.saturating_mul(1 + limits.messages),
            );
            OBJECT * objects
        }
        _ => panic!("a protocol whose bounds are not known here"),
    };
    assert!(bytes <= limits.answer_bytes, "an answer of {bytes} bytes");
}

/// Returns the size of a snapshot as JSON in bytes, where the ids of messages count once: their
/// parts and tool calls share them.
pub(crate) fn held(outcome: &AnyOutcome) -> usize {
    match &outcome.snapshot {
        AnySnapshot::AgentApi(snapshot) => {
            let mut snapshot = snapshot.clone();
            for content in
                snapshot.response.output.iter_mut().flat_map(|message| &mut message.content)
            {
                content.msg_id = "".into();
            }
            for call in &mut snapshot.tool_calls {
                (call.message_id, call.output_message_id) = (None, None);
            }
            snapshot.response.to_json(Style::Wire).len() + snapshot.tool_calls_json().len()
        }
        AnySnapshot::AgentScope(reply) => reply.to_json().len(),
        AnySnapshot::AgKit(turn) => turn.to_json().len(),
        AnySnapshot::AgUi(snapshot) => snapshot.to_json().len(),
        AnySnapshot::Responses(response) => response.to_json().len(),
        AnySnapshot::A2a(snapshot) => snapshot.to_json().len(),
        AnySnapshot::AiSdk(message) => message.to_json().len(),
        AnySnapshot::Chat(completion) => completion.to_json().len(),
        AnySnapshot::Anthropic(message) => message.to_json().len(),
        AnySnapshot::Gemini(response) => response.to_json().len(),
        AnySnapshot::Interactions(interaction) => interaction.to_json().len(),
        _ => panic!("a protocol whose bounds are not known here"),
    }
}

fn report(limits: &Limits, report: &Report) {
    at_most("violations", report.violations.len(), limits.violations);
    // One entry counts all events whose names are not stored.
    at_most("unknown events", report.unknown.len(), limits.unknown + 1);
    assert!(report.total() >= report.violations.len() as u64);
}

fn of_message(limits: &Limits, message: &Message) -> u64 {
    id(limits, &message.id);
    extra(limits, &message.extra);
    at_most("contents", message.content.len(), limits.contents);
    let contents = message.content.iter().map(|content| {
        extra(limits, &content.extra);
        let bytes = match &content.payload {
            Payload::Text { text: Some(text) } | Payload::Refusal { refusal: Some(text) } => {
                text.len() as u64
            }
            Payload::Data { data: Some(data) } => {
                assert!(depth(data) <= limits.json_depth, "data nested {} deep", depth(data));
                weight(data)
            }
            _ => 0,
        };
        assert!(bytes <= limits.content_bytes, "a content of {bytes} bytes");
        OBJECT + bytes
    });
    contents.sum()
}

fn of_part(limits: &Limits, part: &Part) -> u64 {
    let bytes = match part {
        Part::Text(part) => part.text.len() as u64,
        Part::ToolCall(call) => {
            id(limits, &call.tool_call_id);
            call.arguments.len() as u64
        }
        Part::Interrupt(ag_kit::Interrupt { payload, .. }) => weight(payload),
        _ => 0,
    };
    assert!(bytes <= limits.content_bytes, "a part of {bytes} bytes");
    bytes
}

fn of_thread(limits: &Limits, message: &ag_ui::Message) -> u64 {
    // The messages of older events have no ids; the engine numbers them.
    if !message.id.starts_with("thinking-") {
        id(limits, &message.id);
    }
    let text = message.text().map_or(0, str::len) as u64;
    assert!(text <= limits.content_bytes, "a message of {text} bytes");
    let calls = message.tool_calls.iter().flatten().map(|call| {
        id(limits, &call.id);
        let arguments = call.function.arguments.len() as u64;
        assert!(arguments <= limits.content_bytes, "arguments of {arguments} bytes");
        OBJECT + arguments
    });
    text + calls.sum::<u64>()
}

fn at_most(what: &str, count: usize, limit: usize) {
    assert!(count <= limit, "{count} {what}, which is more than {limit}");
}

fn id(limits: &Limits, id: &str) {
    at_most("bytes of an id", id.len(), limits.id_bytes);
}

fn extra(limits: &Limits, extra: &[Member]) {
    at_most("undeclared members", extra.len(), limits.undeclared_members);
}

/// Returns the minimum size of a value in bytes, for any spelling.
fn weight(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Number(digits) => digits.len() as u64,
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(members) => {
            members.iter().map(|m| m.key.len() as u64 + weight(&m.value)).sum()
        }
        _ => 4,
    }
}
