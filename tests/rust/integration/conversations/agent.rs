//! What an agent receives it can pass on: a request that goes through a request of the Agent API to
//! a model is the one that goes there directly.

use agentwire::Limits;
use agentwire::ProtocolKind::{
    self, A2a, AgUi, AgentApi, AiSdk, Anthropic, Chat, Gemini, Interactions, Responses,
};
use agentwire::agent_api::Style;
use agentwire::agent_api::request::AgentRequest;
use agentwire::builder::Counter;
use agentwire::convert::RequestOptions;
use agentwire::hub::Losses;
use agentwire::hub::conversation::Conversation;

use super::sorted;

pub(crate) const REQUESTS: &[(ProtocolKind, &str)] = &[
    (
        Responses,
        r#"{"model":"gpt-5.3-codex","instructions":"You are Codex","input":[
            {"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions>"}]},
            {"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"},{"type":"input_image","image_url":"https://a/b.png","detail":"low"},
                {"type":"input_file","file_data":"data:application/pdf;base64,JVBE","filename":"a.pdf"},{"type":"input_image","file_id":"file_1"}]},
            {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"encrypted_content":"gAAAA"},
            {"type":"message","id":"msg_1","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"I look.","annotations":[{"type":"url_citation","url":"https://a"}]}]},
            {"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":\"ls\"}","call_id":"call_1"},
            {"type":"function_call","name":"read","namespace":"files","arguments":"{}","call_id":"call_2"},
            {"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text","text":"a.rs"},{"type":"input_image","image_url":"data:image/png;base64,iVBO"}]},
            {"type":"function_call_output","call_id":"call_2","output":"b"},
            {"type":"custom_tool_call","status":"completed","call_id":"call_3","name":"apply_patch","input":"*** Begin \"Patch\""},
            {"type":"custom_tool_call_output","call_id":"call_3","output":"Done"},
            {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},
            {"type":"mcp_call","id":"mcp_1","server_label":"s","name":"find","arguments":"{}","output":"found"},
            {"type":"local_shell_call","id":"lsh_1","call_id":"call_4","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}},
            {"type":"local_shell_call_output","call_id":"call_4","output":"a"},
            {"type":"compaction","id":"cmp_1","encrypted_content":"gAAAA"},
            {"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"I cannot."}]},
            {"type":"message","role":"user","content":[{"type":"input_text","text":"and tests?"}]}],
        "tools":[
            {"type":"function","name":"shell","description":"d","strict":false,"parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"],"additionalProperties":false}},
            {"type":"function","name":"strict","parameters":{"type":"object","properties":{}}},
            {"type":"custom","name":"apply_patch","description":"d","format":{"type":"grammar","syntax":"lark","definition":"x"}},
            {"type":"web_search","external_web_access":false},{"type":"mcp","server_label":"s","server_url":"https://a/mcp","require_approval":"never"},
            {"type":"namespace","name":"files","description":"d","tools":[{"type":"function","name":"read","description":"d","strict":false,"parameters":{"type":"object","properties":{}}}]}],
        "tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"shell"}]},
        "parallel_tool_calls":false,"reasoning":{"effort":"medium","summary":"auto"},"store":false,"prompt_cache_key":"thread",
        "text":{"verbosity":"low","format":{"type":"json_schema","name":"answer","schema":{"type":"object"},"strict":true}},
        "service_tier":"priority","max_output_tokens":99,"temperature":1.6,"safety_identifier":"u1","truncation":"auto"}"#,
    ),
    (
        Chat,
        r#"{"model":"m","messages":[
            {"role":"system","content":"be kind"},{"role":"developer","content":"be brief"},
            {"role":"user","name":"ann","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO","detail":"high"}},
                {"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},{"type":"file","file":{"file_id":"file_1"}}]},
            {"role":"assistant","content":"I look.","reasoning_content":"hm","tool_calls":[
                {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"city\":\"Oslo\"}"},"extra_content":{"google":{"thought_signature":"s"}}},
                {"id":"c2","type":"function","function":{"name":"f","arguments":"not JSON"}}]},
            {"role":"tool","tool_call_id":"c1","content":"18"},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
            {"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.encrypted","data":"x","index":0}],"tool_calls":[{"id":"c3","type":"custom","custom":{"name":"p","input":"text"}}]},
            {"role":"tool","tool_call_id":"c3","content":"done"},
            {"role":"assistant","content":null,"refusal":"I cannot."},{"role":"user","content":"and?"}],
        "tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"strict":true}},
            {"type":"custom","custom":{"name":"p","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"x"}}}}],
        "tool_choice":{"type":"function","function":{"name":"f"}},"response_format":{"type":"json_object"},"reasoning_effort":"high",
        "max_completion_tokens":99,"stop":["a"],"seed":1,"top_p":0.5,"frequency_penalty":0.1,"presence_penalty":0.2,"logit_bias":{"1":2},"user":"u"}"#,
    ),
    (
        Anthropic,
        r#"{"model":"claude-sonnet-4-5","max_tokens":4096,"system":[{"type":"text","text":"long","cache_control":{"type":"ephemeral"}}],"messages":[
            {"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},
                {"type":"document","source":{"type":"text","media_type":"text/plain","data":"plain"},"title":"T","citations":{"enabled":true}}]},
            {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"redacted_thinking","data":"eHl6"},{"type":"text","text":"I look."},
                {"type":"tool_use","id":"c1","name":"f","input":{"city":"Oslo"}},{"type":"tool_use","id":"c2","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"gone"},{"type":"image","source":{"type":"url","url":"https://a/b.png"}}],"cache_control":{"type":"ephemeral"}},
                {"type":"tool_result","tool_use_id":"c2","content":"18"},{"type":"text","text":"and?"}]},
            {"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
                {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://a","title":"A","encrypted_content":"Eo8="}]},
                {"type":"text","text":"Found.","citations":[{"type":"web_search_result_location","url":"https://a","encrypted_index":"Eo9="}]}]},
            {"role":"user","content":"and?"}],
        "tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"city":{"type":"string"}}},"cache_control":{"type":"ephemeral"}},
            {"type":"web_search_20250305","name":"web_search","max_uses":2}],
        "tool_choice":{"type":"auto","disable_parallel_tool_use":true},"thinking":{"type":"enabled","budget_tokens":2000},
        "output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"metadata":{"user_id":"u"},"top_k":5,"stop_sequences":["x"]}"#,
    ),
    (
        Gemini,
        r#"{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[
            {"role":"user","parts":[{"text":"hi"},{"inlineData":{"mimeType":"image/png","data":"iVBO"}},{"fileData":{"mimeType":"video/mp4","fileUri":"https://a/b"}}]},
            {"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look.","thoughtSignature":"c2ln"},{"functionCall":{"name":"f","args":{"city":"Oslo"}},"thoughtSignature":"c2lo"},{"functionCall":{"name":"f","args":{}}}]},
            {"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"18"}}},{"functionResponse":{"name":"f","response":{"error":"gone"}}}]},
            {"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"text":"18"}]},
            {"role":"user","parts":[{"text":"and?"}]}],
        "tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}}}}]}],
        "toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},
        "generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object"},"thinkingConfig":{"thinkingBudget":2000},"temperature":1.6,"maxOutputTokens":99,"topK":5},
        "safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]}"#,
    ),
    (
        Interactions,
        r#"{"model":"gemini-3-pro","system_instruction":"be brief","input":[
            {"type":"user_input","content":[{"type":"text","text":"hi"},{"type":"image","mime_type":"image/png","data":"iVBO","resolution":"low"},{"type":"video","uri":"https://a/b","mime_type":"video/mp4"}]},
            {"type":"thought","signature":"c2ln","summary":[{"type":"text","text":"hm"}]},{"type":"thought","signature":"c2lo"},
            {"type":"model_output","content":[{"type":"text","text":"I look.","annotations":[{"type":"url_citation","url":"https://a"}]}]},
            {"type":"function_call","id":"c1","name":"f","arguments":{"city":"Oslo"},"signature":"c2lp"},{"type":"function_call","id":"c2","name":"f","arguments":{}},
            {"type":"function_result","call_id":"c1","name":"f","result":"18"},{"type":"function_result","call_id":"c2","name":"f","result":"gone","is_error":true},
            {"type":"google_search_call","id":"s1","signature":"c2lx","arguments":{"queries":["q"]}},{"type":"google_search_result","call_id":"s1","signature":"c2ly","result":[{"search_suggestions":"x"}]},
            {"type":"model_output","content":[{"type":"text","text":"18"}]},
            {"type":"user_input","content":[{"type":"text","text":"and?"}]}],
        "tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}],
        "generation_config":{"tool_choice":{"allowed_tools":{"mode":"any","tools":["f"]}},"thinking_level":"low","temperature":1.6,"max_output_tokens":99},
        "response_format":{"type":"text","mime_type":"application/json","schema":{"type":"object"}},
        "safety_settings":[{"type":"harassment","threshold":"block_none"}]}"#,
    ),
    (
        AgUi,
        r#"{"threadId":"t","runId":"r","state":{"step":1},"messages":[{"id":"u","role":"user","content":[{"type":"text","text":"hi"},{"type":"document","source":{"type":"data","value":"JVBE","mimeType":"application/pdf"},"metadata":{"filename":"a.pdf"}}]},
            {"id":"q","role":"reasoning","content":"hm","encryptedValue":"ENC1"},
            {"id":"a","role":"assistant","content":"I look.","toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"},"encryptedValue":"ENC2"},{"id":"c2","type":"function","function":{"name":"f","arguments":""}}]},
            {"id":"x","role":"tool","toolCallId":"c1","content":"18"},{"id":"y","role":"tool","toolCallId":"c2","content":"","error":"gone"},
            {"id":"v","role":"user","content":"and?"}],
        "tools":[{"name":"f","description":"d","parameters":{"type":"object"}}],"context":[{"description":"place","value":"Oslo"}],
        "forwardedProps":{"thinking":"high","temperature":0.5,"mine":1},"resume":[{"interruptId":"i","status":"resolved","payload":{"approved":true}}]}"#,
    ),
    (
        AiSdk,
        r#"{"id":"c","trigger":"submit-message","model":"m","reasoning_effort":"low","messages":[
            {"id":"u","role":"user","metadata":{"at":1},"parts":[{"type":"text","text":"hi"},{"type":"file","mediaType":"image/png","url":"data:image/png;base64,iVBO","filename":"a.png"}]},
            {"id":"a","role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm","providerMetadata":{"openai":{"itemId":"rs_1"}}},
                {"type":"tool-f","toolCallId":"c1","state":"output-available","input":{"city":"Oslo"},"output":{"t":18}},
                {"type":"tool-f","toolCallId":"c2","state":"output-error","input":{},"errorText":"gone"},
                {"type":"tool-g","toolCallId":"c3","state":"approval-responded","input":{},"approval":{"id":"q","approved":false,"reason":"too late"}},
                {"type":"step-start"},{"type":"text","text":"18"},{"type":"data-weather","data":{"t":18}},{"type":"source-url","sourceId":"s","url":"https://a"}]},
            {"id":"v","role":"user","parts":[{"type":"text","text":"and?"}]}],
        "tools":{"f":{"description":"d","inputSchema":{"type":"object"}}}}"#,
    ),
    (
        A2a,
        r#"{"message":{"messageId":"m","contextId":"c","role":"ROLE_USER","parts":[{"text":"see"},{"raw":"JVBE","filename":"a.pdf","mediaType":"application/pdf"},{"data":{"a":1}}]},"metadata":{"reasoning_effort":"low"}}"#,
    ),
];

const MODELS: [ProtocolKind; 5] = [Chat, Responses, Anthropic, Gemini, Interactions];

fn read(protocol: ProtocolKind, request: &str) -> Conversation {
    Conversation::read(protocol, request, &Limits::default())
        .unwrap_or_else(|error| panic!("{error}: {request}"))
}

/// Returns the request of a protocol, and the losses.
fn written(mut conversation: Conversation, to: ProtocolKind) -> (String, Vec<String>) {
    let mut losses = Losses::default();
    let mut options = RequestOptions::default();
    // Requests of the Agent API are streams unless they say otherwise.
    options.stream = Some(true);
    conversation.prepare(to, &options, &mut losses).expect("a protocol with requests");
    let request =
        conversation.write(to, &mut Counter::default()).expect("a protocol with requests");
    let losses =
        losses.iter().map(|loss| format!("{:?} {} {}", loss.class, loss.kind, loss.location));
    (request, losses.collect())
}

/// The losses that come from the protocol of the client, and not from its content.
fn is_of_client(loss: &str) -> bool {
    // An agent has the ids of conversations.
    loss.starts_with("Cosmetic conversation")
}

/// Asserts that two texts are equal, and shows where they are not.
fn assert_same(one: &str, other: &str, context: &str) {
    let differs = |(one, other): (char, char)| one != other;
    let at = one.chars().zip(other.chars()).position(differs).unwrap_or(one.len().min(other.len()));
    let around =
        |text: &str| text.chars().skip(at.saturating_sub(200)).take(400).collect::<String>();
    assert!(one == other, "{context}\n{}\n{}", around(one), around(other));
}

#[test]
fn a_request_reaches_a_model_through_an_agent_as_it_does_directly() {
    for (from, request) in REQUESTS {
        let (agent, lost) = written(read(*from, request), AgentApi);
        assert_eq!(lost, [""; 0], "{from:?}");
        let typed =
            AgentRequest::parse(&agent).unwrap_or_else(|error| panic!("{error:?}: {agent}"));
        let typed = typed.to_json(Style::Compact);
        // A protocol keeps more of its own requests.
        for to in MODELS.into_iter().filter(|to| to != from) {
            let (direct, lost_directly) = written(read(*from, request), to);
            for agent in [&agent, &typed] {
                let (through, lost) = written(read(AgentApi, agent), to);
                let context = format!("{from:?} to {to:?}");
                assert_same(&sorted(&through), &sorted(&direct), &context);
                // Settings are read in the order of the protocol.
                let contents = |lost: &[String]| {
                    let mut lost: Vec<_> =
                        lost.iter().filter(|loss| !is_of_client(loss)).cloned().collect();
                    lost.sort();
                    lost
                };
                assert_eq!(contents(&lost), contents(&lost_directly), "{context}");
            }
        }
    }
}

/// What only one provider understands, in the requests.
const STATES: &[(ProtocolKind, &[&str])] = &[
    (
        Responses,
        &["gAAAA", "commentary", "url_citation", "ws_1", "mcp_1", "lsh_1", "cmp_1", "truncation"],
    ),
    (Chat, &["reasoning_content", "thought_signature", "reasoning.encrypted", "logit_bias", "ann"]),
    (Anthropic, &["c2ln", "eHl6", "srvtoolu_1", "Eo8=", "Eo9=", "\"title\":\"T\"", "max_uses"]),
    (
        Gemini,
        &["c2ln", "c2lo", "executableCode", "codeExecutionResult", "HARM_CATEGORY_HARASSMENT"],
    ),
    (
        Interactions,
        &["c2ln", "c2lo", "c2lp", "c2lx", "c2ly", "url_citation", "resolution", "block_none"],
    ),
    (AgUi, &["ENC1", "ENC2", "\"step\":1", "\"mine\":1", "\"place\""]),
    (AiSdk, &["rs_1", "data-weather", "source-url", "\"at\":1", "approval-responded", "too late"]),
];

#[test]
fn a_provider_receives_its_state_through_an_agent() {
    for (from, states) in STATES {
        let (_, request) =
            REQUESTS.iter().find(|(protocol, _)| protocol == from).expect("a request");
        let (agent, _) = written(read(*from, request), AgentApi);
        let (through, lost) = written(read(AgentApi, &agent), *from);
        for state in *states {
            assert!(through.contains(state), "{from:?}: {state}\n{lost:?}\n{through}");
        }
    }
}
