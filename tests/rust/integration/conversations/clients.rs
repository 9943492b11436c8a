//! Requests of clients of agents, as those of models.

use agentwire::ProtocolKind::{
    self, A2a, AgKit, AgUi, AgentApi, AiSdk, Anthropic, Chat, Responses,
};
use agentwire::builder::Counter;
use agentwire::convert::{RequestOptions, convert_request};
use agentwire::hub::Losses;
use agentwire::json::Value;

use super::sorted;

fn converted(from: ProtocolKind, request: &str, to: ProtocolKind) -> (Value, Vec<String>) {
    let mut losses = Losses::default();
    let options = RequestOptions::default();
    let sent = convert_request(from, request, to, &options, &mut Counter::default(), &mut losses)
        .unwrap_or_else(|error| panic!("{error}: {request}"));
    let losses = losses.iter().map(|loss| format!("{} {}", loss.kind, loss.location)).collect();
    (Value::parse(&sent.json, 64).unwrap(), losses)
}

/// Returns the JSON at a path of names and numbers with dots.
fn at(value: &Value, path: &str) -> Option<String> {
    let found = path.split('.').try_fold(value, |value, name| match value {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    });
    found.map(Value::to_json)
}

#[test]
fn clients_have_settings_for_the_model_where_their_protocol_has_further_data() {
    let ag_ui = |props: &str| {
        format!(
            r#"{{"threadId":"t","runId":"r","messages":[{{"id":"u","role":"user","content":"hi"}}],"tools":[{{"name":"f","description":"d"}}],"forwardedProps":{props}}}"#
        )
    };
    let a2a = |metadata: &str| {
        format!(
            r#"{{"message":{{"messageId":"m","role":"ROLE_USER","parts":[{{"text":"hi"}}]}},"metadata":{metadata}}}"#
        )
    };
    let ai_sdk = |body: &str| {
        let body = &body[1..body.len() - 1];
        format!(
            r#"{{"id":"c","messages":[{{"id":"u","role":"user","parts":[{{"type":"text","text":"hi"}}]}}],{body}}}"#
        )
    };
    for (settings, path, expected) in [
        (r#"{"model":"m","temperature":0.5}"#, "temperature", Some("0.5")),
        (r#"{"max_tokens":99}"#, "max_completion_tokens", Some("99")),
        (r#"{"thinking":true}"#, "reasoning_effort", Some(r#""medium""#)),
        (r#"{"thinking":"high"}"#, "reasoning_effort", Some(r#""high""#)),
        (r#"{"reasoning_effort":"low"}"#, "reasoning_effort", Some(r#""low""#)),
        (
            r#"{"response_format":{"type":"json_object"}}"#,
            "response_format.type",
            Some(r#""json_object""#),
        ),
        // Values of another meaning are not settings.
        (r#"{"temperature":"warm"}"#, "temperature", None),
        (r#"{"thinking":{"type":{"of":"mine"}}}"#, "reasoning_effort", None),
        (r#"{"user":{"name":"ann"}}"#, "user", None),
    ] {
        for (from, request) in
            [(AgUi, ag_ui(settings)), (A2a, a2a(settings)), (AiSdk, ai_sdk(settings))]
        {
            let (sent, losses) = converted(from, &request, Chat);
            assert_eq!(at(&sent, path).as_deref(), expected, "{from:?}: {request}");
            // Members of a body are passed on if the model has members of these names.
            if from == AiSdk && settings.contains("mine") {
                continue;
            }
            let is_noted = losses.iter().any(|loss| loss.starts_with("parameter"));
            assert_eq!(is_noted, expected.is_none(), "{from:?}: {request}\n{losses:?}");
        }
    }
    let thinking =
        ag_ui(r#"{"thinking":{"type":"enabled","budget_tokens":2000},"tool_choice":"none"}"#);
    let (sent, _) = converted(AgUi, &thinking, Anthropic);
    assert_eq!(at(&sent, "thinking.budget_tokens").as_deref(), Some("2000"));
    assert_eq!(at(&sent, "tool_choice.type").as_deref(), Some(r#""none""#));
}

#[test]
fn the_context_of_a_client_is_told_to_the_model_and_kept_for_an_agent() {
    let request = r#"{"threadId":"t","runId":"r","state":{},"messages":[{"id":"u","role":"user","content":"hi"}],"tools":[],"context":[{"description":"place","value":"Oslo"}],"forwardedProps":{}}"#;
    let (sent, losses) = converted(AgUi, request, Chat);
    assert_eq!(
        at(&sent, "messages.0").as_deref(),
        Some(r#"{"role":"system","content":"place: Oslo"}"#)
    );
    assert_eq!(losses, ["conversation "]);
    let (agent, _) = converted(AgUi, request, AgentApi);
    let (back, losses) = converted(AgentApi, &agent.to_json(), AgUi);
    assert_eq!(
        at(&back, "context").as_deref(),
        Some(r#"[{"description":"place","value":"Oslo"}]"#)
    );
    assert_eq!(at(&back, "messages.0.id").as_deref(), Some(r#""u""#));
    assert_eq!(losses, [""; 0]);
    // Unless the agent has changed it.
    let (back, _) =
        converted(AgentApi, &agent.to_json().replace("place: Oslo", "place: Rome"), AgUi);
    assert_eq!(at(&back, "context").as_deref(), Some("[]"));
    assert_eq!(at(&back, "messages.0.content").as_deref(), Some(r#""place: Rome""#));
}

#[test]
fn a_call_that_the_user_has_answered_has_a_result_for_models() {
    let with = |state: &str| {
        format!(
            r#"{{"id":"c","messages":[{{"id":"u","role":"user","parts":[{{"type":"text","text":"hi"}}]}},
            {{"id":"a","role":"assistant","parts":[{{"type":"tool-pay","toolCallId":"c1","input":{{}},{state}}}]}},
            {{"id":"v","role":"user","parts":[{{"type":"text","text":"and?"}}]}}]}}"#
        )
    };
    for (state, told) in [
        (
            r#""state":"approval-responded","approval":{"id":"q","approved":false,"reason":"too much"}"#,
            "Denied by the user: too much",
        ),
        (r#""state":"output-denied","approval":{"id":"q"}"#, "Denied by the user."),
        (
            r#""state":"approval-responded","approval":{"id":"q","approved":true}"#,
            "Approved by the user.",
        ),
        (
            r#""state":"output-available","approval":{"id":"q","approved":true},"output":"paid""#,
            "paid",
        ),
    ] {
        let (sent, losses) = converted(AiSdk, &with(state), Chat);
        assert_eq!(at(&sent, "messages.2.content"), Some(format!("{told:?}")), "{state}");
        // Chat Completions has no flag for results that are errors.
        let expected = if told.starts_with("Denied") {
            &["conversation ", "tool-error c1"][..]
        } else {
            &["conversation "]
        };
        assert_eq!(losses, expected, "{state}");
        let (sent, _) = converted(AiSdk, &with(state), Responses);
        assert_eq!(at(&sent, "input.2.output"), Some(format!("{told:?}")), "{state}");
    }
    // Half a call is no call.
    let (sent, losses) = converted(AiSdk, &with(r#""state":"input-streaming""#), Chat);
    assert!(!sent.to_json().contains("tool_calls"), "{}", sent.to_json());
    assert!(losses.contains(&"opaque tool-pay".to_owned()), "{losses:?}");
}

#[test]
fn results_without_their_call_are_normal_for_agents_and_noted_for_models() {
    for (from, request) in [
        (
            AgKit,
            r#"{"conversationId":"c","messages":[{"role":"tool","toolCallId":"c1","content":"18"}]}"#,
        ),
        (
            A2a,
            r#"{"message":{"messageId":"m","contextId":"c","role":"ROLE_USER","parts":[{"data":{"call_id":"c1","output":"18"}}]}}"#,
        ),
        (
            AgentApi,
            r#"{"session_id":"c","input":[{"type":"function_call_output","role":"tool","content":[{"type":"data","data":{"call_id":"c1","output":"18"}}]}]}"#,
        ),
    ] {
        let (agent, losses) = converted(from, request, AgentApi);
        assert_eq!(
            at(&agent, "input.0.content.0.data.output").as_deref(),
            Some(r#""18""#),
            "{from:?}"
        );
        assert_eq!(losses, [""; 0], "{from:?}");
        let (_, losses) = converted(from, request, Chat);
        assert!(losses.contains(&"result-without-call c1".to_owned()), "{from:?}: {losses:?}");
    }
}

/// What a client of the Agent API sends back of an answer: `{id, type, role, content, metadata}` of
/// its messages.
#[test]
fn messages_of_an_answer_are_sent_back_with_what_they_carry() {
    let anthropic = r#"{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"redacted_thinking","data":"eHl6"},
            {"type":"tool_use","id":"c1","name":"f","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"18"}]}]}"#;
    let (agent, _) = converted(Anthropic, anthropic, AgentApi);
    let Some(Value::Array(input)) = agent.get("input") else { panic!("messages") };
    let echoed = input.iter().map(|message| {
        let members = ["id", "type", "role", "content", "metadata"].into_iter();
        let given = members.filter_map(|name| Some((name, message.get(name)?.to_json())));
        let members: Vec<_> = given.map(|(name, json)| format!("{name:?}:{json}")).collect();
        format!("{{{}}}", members.join(","))
    });
    let echoed: Vec<_> = echoed.collect();
    let request =
        format!(r#"{{"model":"claude-sonnet-4-5","max_tokens":9,"input":[{}]}}"#, echoed.join(","));
    let (back, losses) = converted(AgentApi, &request, Anthropic);
    let expected = r#"[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"redacted_thinking","data":"eHl6"},{"type":"tool_use","id":"c1","name":"f","input":{}}]"#;
    let content = at(&back, "messages.1.content").map(|json| sorted(&json));
    assert_eq!((content, losses), (Some(sorted(expected)), Vec::new()));
}
