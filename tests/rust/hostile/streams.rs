//! Streams of any size, generated from the templates in `floods.json` and `limits.json`.

use agentwire::Limits;
use agentwire::ProtocolKind;
use agentwire::read::AnyOptions;
use serde_json::Value;

/// A stream of size `n`, and how it is read.
#[derive(Clone, Debug)]
pub struct Template(Value);

impl Template {
    /// All templates of a file beside this one.
    pub fn all(file: &str) -> Vec<Template> {
        let path = agentwire_cases::path(&format!("tests/data/hostile/{file}"));
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Ok(Value::Array(all)) = serde_json::from_str(&text) else {
            panic!("{file} is no list")
        };
        all.into_iter().map(Template).collect()
    }

    pub fn text(&self, member: &str) -> &str {
        self.0[member].as_str().unwrap_or_else(|| panic!("no `{member}` in {}", self.0))
    }

    pub fn number(&self, member: &str) -> u64 {
        self.0[member].as_u64().unwrap_or_else(|| panic!("no `{member}` in {}", self.0))
    }

    pub fn optional(&self, member: &str) -> Option<i64> {
        self.0[member].as_i64()
    }

    pub fn protocol(&self) -> ProtocolKind {
        match self.text("protocol") {
            "agent-api" => ProtocolKind::AgentApi,
            "ag-kit" => ProtocolKind::AgKit,
            "ag-ui" => ProtocolKind::AgUi,
            "responses" => ProtocolKind::Responses,
            "a2a" => ProtocolKind::A2a,
            "agentscope" => ProtocolKind::AgentScope,
            "interactions" => ProtocolKind::Interactions,
            "anthropic" => ProtocolKind::Anthropic,
            other => panic!("{other}"),
        }
    }

    pub fn choices(&self) -> AnyOptions {
        let mut choices = AnyOptions::default();
        for (name, value) in self.0["limits"].as_object().into_iter().flatten() {
            set(&mut choices.options.limits, name, value.as_u64().expect("a number"));
        }
        choices
    }

    /// Returns the stream of size `n`. `$i` is the number of a repetition, `$n` the number of
    /// repetitions, `$back` the number counted from the end.
    pub fn bytes(&self, n: u64) -> Vec<u8> {
        let mut out = String::new();
        for part in self.0["stream"].as_array().expect("a list") {
            if let Some(text) = part.as_str() {
                out += &text.replace("$n", &n.to_string());
                continue;
            }
            let times = part["times"].as_u64().unwrap_or(n);
            let text = part["each"].as_str().expect("a text").replace("$n", &times.to_string());
            for i in 1..=times {
                out +=
                    &text.replace("$i", &i.to_string()).replace("$back", &(times - i).to_string());
            }
        }
        out.into_bytes()
    }
}

/// Sets a limit by the name that it has in TypeScript.
pub fn set(limits: &mut Limits, name: &str, value: u64) {
    let size = value as usize;
    match name {
        "lineBytes" => limits.line_bytes = size,
        "eventBytes" => limits.event_bytes = size,
        "jsonDepth" => limits.json_depth = value as u32,
        "idBytes" => limits.id_bytes = size,
        "messages" => limits.messages = size,
        "contents" => limits.contents = size,
        "toolCalls" => limits.tool_calls = size,
        "contentBytes" => limits.content_bytes = value,
        "answerBytes" => limits.answer_bytes = value,
        "growth" => limits.growth = value,
        "dataNodes" => limits.data_nodes = size,
        "numberDigits" => limits.number_digits = size,
        "undeclaredMembers" => limits.undeclared_members = size,
        "violations" => limits.violations = size,
        "unknown" => limits.unknown = size,
        other => panic!("there is no limit {other}"),
    }
}
