//! Unusual items, blocks, parts and tools: those of the providers' tools, newer ones, and broken
//! ones.

use agentwire::ProtocolKind::{
    self, A2a, AgKit, AgUi, AgentApi, AgentScope, AiSdk, Anthropic, Chat, Gemini, Interactions,
    Responses,
};
use serde_json::Value;

/// The numbers of unusual things that conversations have: a protocol with fewer of them has each
/// more often.
pub const SAID: usize = 24;
pub const PARTS: usize = 8;
pub const SPOKEN: usize = 12;
pub const HOSTED: usize = 8;
pub const MEMBERS: usize = 10;

/// Returns an unusual item or message: none, one or several.
pub fn said(protocol: ProtocolKind, number: usize) -> Vec<Value> {
    parsed(
        match protocol {
            Responses => &[
                r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}}"#,
                r#"{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"find","arguments":"{}","output":"found"}"#,
                r#"{"type":"mcp_call","server_label":"s","name":"find","arguments":"{}","output":null,"error":"no"}"#,
                r#"{"type":"local_shell_call","id":"lsh_1","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls"]}}"#,
                r#"{"type":"local_shell_call_output","id":"c1","output":"files"}"#,
                r#"{"type":"shell_call","call_id":"c2","action":{"commands":["ls"]}}, {"type":"shell_call_output","call_id":"c2","output":[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}]}"#,
                r#"{"type":"apply_patch_call","call_id":"c3","status":"completed","operation":{"type":"delete_file","path":"a"}}"#,
                r#"{"type":"apply_patch_call_output","call_id":"c3","status":"failed","output":"no such file"}"#,
                r#"{"type":"compaction","encrypted_content":"responses-state-7"}"#,
                r#"{"type":"item_reference","id":"msg_1"}"#,
                r#"{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"f","arguments":"{}"}"#,
                r#"{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}"#,
                r#"{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[]}"#,
                r#"{"type":"image_generation_call","id":"ig_1","status":"completed","result":"iVBORw0KGgo="}"#,
                r#"{"type":"code_interpreter_call","id":"ci_1","container_id":"k","status":"completed","code":"1","outputs":null}"#,
                r#"{"type":"file_search_call","id":"fs_1","queries":["q"],"status":"completed"}"#,
                r#"{"type":"unknown_thing","x":1}"#,
                r#"{"type":"unknown_call","call_id":"c1","x":1}, {"type":"unknown_call_output","call_id":"c1","output":"y"}"#,
                r#"{"type":"function_call","name":"f"}"#,
                r#"{"type":"reasoning"}"#,
                r#"{"role":"assistant"}"#,
                r#"{}, null, "text", 7, []"#,
                r#"{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"late","parameters":{"type":"object","properties":{}}}]}"#,
                r#"{"type":"tool_search_call","call_id":"c9","arguments":{},"execution":"server","status":"completed"}, {"type":"tool_search_output","call_id":"c9","tools":[],"execution":"server","status":"completed"}"#,
            ],
            Chat => &[
                r#"{"role":"user","content":null}"#,
                r#"{"role":"user"}"#,
                r#"{"role":"assistant","content":null}"#,
                r#"{"role":"assistant","content":null,"tool_calls":[]}"#,
                r#"{"role":"assistant","content":null,"refusal":"no"}"#,
                r#"{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}, {"role":"function","name":"f","content":"done"}"#,
                r#"{"role":"assistant","content":"a","audio":{"id":"audio_1"},"annotations":[]}"#,
                r#"{"role":"user","name":"ann","content":"hi"}"#,
                r#"{"role":"critic","content":"hm"}"#,
                r#"{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}}]}"#,
                r#"{"role":"assistant","tool_calls":[{"type":"function"}, 7, null]}"#,
                r#"{"role":"tool","content":"alone"}"#,
                r#"{}, null, "text", 7, []"#,
            ],
            Anthropic => &[
                r#"{"role":"user","content":[]}"#,
                r#"{"role":"user"}"#,
                r#"{"role":"assistant","content":[]}"#,
                r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://a","title":"t","encrypted_content":"anthropic-state-8"}]}]}"#,
                r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_2","name":"web_search","input":{}}]}"#,
                r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1"}]}"#,
                r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":[],"is_error":true}]}"#,
                r#"{"role":"system","content":"in the middle"}"#,
                r#"{}, null, "text", 7, []"#,
            ],
            Gemini => &[
                r#"{"role":"user","parts":[]}"#,
                r#"{"role":"model"}"#,
                r#"{"parts":[{"text":"no role"}]}"#,
                r#"{"role":"function","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}]}"#,
                r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":"text"}}]}"#,
                r#"{"role":"model","parts":[{"functionCall":{"name":"f"}}]}"#,
                r#"{"role":"model","parts":[{"text":"thought","thought":true}]}"#,
                r#"{}, null, "text", 7, []"#,
            ],
            Interactions => &[
                r#"{"type":"user_input","content":[]}"#,
                r#"{"type":"user_input"}"#,
                r#"{"type":"model_output"}"#,
                r#"{"type":"text","text":"a content in place of a step"}"#,
                r#"{"role":"model","content":[{"type":"text","text":"an earlier form"}]}"#,
                r#"{"type":"google_search_call","id":"gs_1","arguments":{"queries":["q"]},"signature":"interactions-state-7"}, {"type":"google_search_result","call_id":"gs_1","result":[{"search_suggestions":"s"}],"signature":"interactions-state-8"}"#,
                r#"{"type":"google_search_call","id":"gs_2","arguments":{"queries":["q"]}}"#,
                r#"{"type":"code_execution_call","id":"ce_1","arguments":{"language":"python","code":"1"}}, {"type":"code_execution_result","call_id":"ce_1","result":"1","is_error":false}"#,
                r#"{"type":"mcp_server_tool_call","id":"mcp_1","name":"find","server_name":"s","arguments":{}}, {"type":"mcp_server_tool_result","call_id":"mcp_1","name":"find","server_name":"s","result":[{"type":"text","text":"found"}]}"#,
                r#"{"type":"url_context_result","call_id":"alone","result":[]}"#,
                r#"{"type":"thought"}"#,
                r#"{"type":"thought","summary":[{"type":"image","data":"iVBORw0KGgo=","mime_type":"image/png"}]}"#,
                r#"{"type":"function_call","name":"f"}"#,
                r#"{"type":"function_call","id":"c1","name":"f","arguments":"{\"city\":\"x\"}"}, {"type":"function_result","call_id":"c1","result":{"a":1}}"#,
                r#"{"type":"function_result","call_id":"c2"}"#,
                r#"{"type":"unknown_thing","x":1}"#,
                r#"{}, null, "text", 7, []"#,
            ],
            AgentScope => &[
                r#"{"name":"user","role":"user","content":"a text in place of blocks"}"#,
                r#"{"name":"Ann","role":"user","content":[{"type":"text","text":"named"}]}"#,
                r#"{"name":"user","role":"user","content":[]}"#,
                r#"{"role":"user"}"#,
                r#"{"name":"system","role":"system","content":[{"type":"text","text":"in a message"}]}"#,
                r#"{"name":"a","role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"tool_call","id":"c1","name":"f","input":"{}","state":"finished"},{"type":"tool_result","id":"c1","name":"f","output":"x","state":"success"}]}"#,
                r#"{"type":"USER_CONFIRM_RESULT","reply_id":"r","confirm_results":[{"confirmed":false,"tool_call":{"type":"tool_call","id":"c1","name":"f","input":"{}"}}]}"#,
            ],
            AgUi => &[
                r#"{"id":"a1","role":"activity","activityType":"plan","content":{"steps":[]}}"#,
                r#"{"id":"m9","role":"assistant","toolCalls":[]}"#,
                r#"{"id":"m9","role":"assistant","content":null,"toolCalls":null}"#,
                r#"{"id":"m9","role":"tool","toolCallId":"c1","content":"","error":"it failed"}"#,
                r#"{"id":"m9","role":"user","content":[]}"#,
            ],
            AiSdk => &[
                r#"{"id":"m9","role":"assistant","parts":[]}"#,
                r#"{"id":"m9","role":"user","parts":[]}"#,
                r#"{"role":"assistant","parts":[{"type":"step-start"}]}"#,
                r#"{"id":"m9","role":"data","parts":[{"type":"text","text":"x"}]}"#,
                r#"{"id":"m9","role":"assistant","metadata":{"a":1},"parts":[{"type":"dynamic-tool","toolName":"f","toolCallId":"c1","state":"approval-responded","input":{},"approval":{"id":"q1","approved":false,"reason":"no"}}]}"#,
            ],
            AgentApi => &[
                r#"{"role":"user","type":"message","content":[]}"#,
                r#"{"role":"user"}"#,
                r#"{"role":"assistant","type":"plugin_call","content":[{"type":"data","data":{"call_id":"c1","name":"f","arguments":"{}"}}]}"#,
                r#"{"role":"assistant","type":"mcp_call","content":[{"type":"data","data":{"call_id":"c2","name":"f","arguments":{"a":1}}}]}, {"role":"tool","type":"mcp_call_output","content":[{"type":"data","data":{"call_id":"c2","output":"x"}}]}"#,
                r#"{"role":"user","type":"mcp_approval_response","content":[{"type":"data","data":{"approval_request_id":"q1","approve":true}}]}"#,
                r#"{"role":"assistant","type":"mcp_approval_request","content":[{"type":"data","data":{"id":"q1","name":"f"}}]}"#,
                r#"{"role":"assistant","type":"error","code":"e","message":"failed","content":[]}"#,
                r#"{"role":"assistant","type":"later","content":[{"type":"text","text":"x"}]}"#,
            ],
            AgKit => &[
                r#"{"role":"assistant","content":null,"toolCalls":[]}"#,
                r#"{"role":"tool","toolCallId":"c1","content":[{"type":"text","text":"ok"}]}"#,
            ],
            _ => &[],
        },
        number,
    )
}

/// Returns an unusual part of a message of the user.
pub fn part(protocol: ProtocolKind, number: usize) -> Vec<Value> {
    parsed(
        match protocol {
            Responses => &[
                r#"{"type":"input_text"}"#,
                r#"{"type":"input_image"}"#,
                r#"{"type":"input_file"}"#,
                r#"{"type":"later","x":1}"#,
                r#"7, null, "text""#,
            ],
            Chat => &[
                r#"{"type":"text"}"#,
                r#"{"type":"image_url"}"#,
                r#"{"type":"image_url","image_url":"https://a.example/b.png"}"#,
                r#"{"type":"file","file":{}}"#,
                r#"{"type":"later","x":1}"#,
                r#"7, null, "text""#,
            ],
            Anthropic => &[
                r#"{"type":"text"}"#,
                r#"{"type":"search_result","source":"https://a","title":"t","content":[{"type":"text","text":"found"}]}"#,
                r#"{"type":"container_upload","file_id":"file_1"}"#,
                r#"{"type":"document","source":{"type":"content","content":[{"type":"text","text":"inside"}]},"citations":{"enabled":true}}"#,
                r#"{"type":"image"}"#,
                r#"{"type":"later","x":1}"#,
                r#"7, null, "text""#,
            ],
            Gemini => &[
                r#"{"text":null}"#,
                r#"{}"#,
                r#"{"inlineData":{}}"#,
                r#"{"fileData":{"fileUri":"https://www.youtube.com/watch?v=a"},"videoMetadata":{"fps":1}}"#,
                r#"{"later":{"x":1}}"#,
                r#"7, null, "text""#,
            ],
            Interactions => &[
                r#"{"type":"text"}"#,
                r#"{"type":"text","text":"cited","annotations":[{"type":"url_citation","url":"https://a"}]}"#,
                r#"{"type":"image"}"#,
                r#"{"type":"image","data":"iVBORw0KGgo="}"#,
                r#"{"type":"video","uri":"https://www.youtube.com/watch?v=a"}"#,
                r#"{"type":"later","x":1}"#,
                r#"7, null, "text""#,
            ],
            AgentScope => &[
                r#"{"type":"text"}"#,
                r#"{"type":"data"}"#,
                r#"{"type":"hint","hint":"remember"}"#,
                r#"{"type":"later","x":1}"#,
                r#"7, null, "text""#,
            ],
            AgUi => &[
                r#"{"type":"text","text":"with an id","id":"p1","metadata":{"a":1}}"#,
                r#"{"type":"image","source":{"type":"data","value":"","mimeType":""}}"#,
            ],
            AiSdk => &[
                r#"{"type":"data-weather","data":{"t":1}}"#,
                r#"{"type":"data-weather","data":7}"#,
                r#"{"type":"source-url","sourceId":"s","url":"https://a"}"#,
                r#"{"type":"later","x":1}"#,
                r#"{"type":"file"}"#,
                r#"{"type":"text"}"#,
            ],
            AgentApi => &[
                r#"{"type":"data","data":{"t":1}}"#,
                r#"{"type":"data"}"#,
                r#"{"type":"image"}"#,
                r#"{"type":"refusal","refusal":"no"}"#,
                r#"{"type":"later","x":1}"#,
            ],
            A2a => &[
                r#"{"data":{"t":1}}"#,
                r#"{"data":7}"#,
                r#"{"data":{"approval_request_id":"q1","answer":"yes"}}"#,
            ],
            _ => &[],
        },
        number,
    )
}

/// Returns an unusual part of an answer.
pub fn spoken(protocol: ProtocolKind, number: usize) -> Vec<Value> {
    parsed(
        match protocol {
            Responses => &[
                r#"{"type":"output_text","text":"cited","annotations":[{"type":"url_citation","url":"https://a","title":"t","start_index":0,"end_index":1}]}"#,
                r#"{"type":"output_text"}"#,
                r#"{"type":"later","x":1}"#,
            ],
            Chat => &[r#"{"type":"refusal"}"#, r#"{"type":"later","x":1}"#],
            Anthropic => &[
                r#"{"type":"text","text":"cited","citations":[{"type":"char_location","cited_text":"c","document_index":0}]}"#,
                r#"{"type":"text","text":"cited","citations":null}"#,
                r#"{"type":"mcp_tool_use","id":"mcptoolu_1","name":"find","server_name":"s","input":{}}, {"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","content":[{"type":"text","text":"found"}],"is_error":false}"#,
                r#"{"type":"tool_use","name":"f"}"#,
                r#"{"type":"thinking"}"#,
                r#"{"type":"later","x":1}"#,
                r#"7, null, "text""#,
            ],
            Gemini => &[
                r#"{"executableCode":{"language":"PYTHON","code":"1"}}, {"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}"#,
                r#"{"text":"","thoughtSignature":"gemini-state-9"}"#,
                r#"{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}"#,
                r#"{"functionCall":{}}"#,
                r#"{"later":{"x":1}}"#,
            ],
            Interactions => &[
                r#"{"type":"google_search_call","id":"gs_3","arguments":{}}, {"type":"google_search_result","call_id":"gs_3","result":[],"is_error":true}"#,
                r#"{"type":"thought","signature":""}"#,
                r#"{"type":"model_output","content":[{"type":"text","text":"cited","annotations":[{"type":"url_citation","url":"https://a"}]}]}"#,
                r#"{"type":"model_output","content":[{"type":"image","data":"iVBORw0KGgo=","mime_type":"image/png"}]}"#,
                r#"{"type":"model_output","content":[],"error":{"code":3,"message":"no"}}"#,
                r#"{"type":"later","x":1}"#,
            ],
            AiSdk => &[
                r#"{"type":"step-start"}"#,
                r#"{"type":"file","mediaType":"image/png","url":"data:image/png;base64,iVBORw0KGgo="}"#,
                r#"{"type":"dynamic-tool","toolName":"search","toolCallId":"h1","state":"output-available","input":{"q":1},"output":"found","providerExecuted":true}"#,
                r#"{"type":"dynamic-tool","toolName":"search","toolCallId":"h2","state":"input-available","input":{},"providerExecuted":true}"#,
                r#"{"type":"tool-g","toolCallId":"c3","state":"output-error","input":{},"errorText":"it failed"}"#,
                r#"{"type":"tool-g","toolCallId":"c3","state":"input-streaming","input":{"a"  :1}}"#,
                r#"{"type":"tool-","toolCallId":"","state":"output-available","output":{"a":1}}"#,
                r#"{"type":"reasoning","text":""}"#,
                r#"{"type":"data-weather","id":"d","data":{"t":1}}"#,
                r#"{"type":"text","text":"x","providerMetadata":{"agentwire":{"state":"aw1.nonsense"},"openai":{"itemId":"msg_1"}}}"#,
                r#"{"type":"later","x":1}"#,
            ],
            AgentApi => &[
                r#"{"type":"data","data":{"t":1}}"#,
                r#"{"type":"image","image_url":"https://a.example/b.png"}"#,
                r#"{"type":"later","x":1}"#,
            ],
            _ => &[],
        },
        number,
    )
}

/// Returns a tool of the provider.
pub fn hosted(protocol: ProtocolKind, number: usize) -> Vec<Value> {
    parsed(
        match protocol {
            Responses => &[
                r#"{"type":"web_search"}"#,
                r#"{"type":"web_search","external_web_access":false,"filters":{"allowed_domains":["a.example"]}}"#,
                r#"{"type":"code_interpreter","container":{"type":"auto"}}"#,
                r#"{"type":"mcp","server_label":"s","server_url":"https://mcp.example","require_approval":"never"}"#,
                r#"{"type":"local_shell"}"#,
                r#"{"type":"file_search","vector_store_ids":["v"]}"#,
                r#"{"type":"later","x":1}"#,
                r#"{"type":"function","name":"loose","parameters":null,"strict":null}"#,
            ],
            Chat => &[
                r#"{"type":"later","x":1}"#,
                r#"{"type":"function","function":{"name":"bare"}}"#,
                r#"{"type":"function"}"#,
                r#"7, null"#,
            ],
            Anthropic => &[
                r#"{"type":"web_search_20250305","name":"web_search","max_uses":3}"#,
                r#"{"type":"code_execution_20250825","name":"code_execution"}"#,
                r#"{"type":"bash_20250124","name":"bash"}"#,
                r#"{"type":"text_editor_20250728","name":"str_replace_based_edit_tool"}"#,
                r#"{"type":"later","x":1}"#,
                r#"{"type":"custom","name":"explicit","input_schema":{"type":"object"},"defer_loading":true}"#,
            ],
            Gemini => &[
                r#"{"googleSearch":{}}"#,
                r#"{"codeExecution":{}}"#,
                r#"{"urlContext":{}}"#,
                r#"{"googleSearch":{"timeRangeFilter":{}},"codeExecution":{}}"#,
                r#"{"functionDeclarations":[]}"#,
                r#"{"functionDeclarations":[{"name":"typed","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true}}},"behavior":"BLOCKING"}]}"#,
                r#"{"later":{}}"#,
            ],
            Interactions => &[
                r#"{"type":"google_search"}"#,
                r#"{"type":"google_search","search_types":["web_search"]}"#,
                r#"{"type":"code_execution"}"#,
                r#"{"type":"url_context"}"#,
                r#"{"type":"google_maps","latitude":1.5,"longitude":2}"#,
                r#"{"type":"mcp_server","name":"s","url":"https://mcp.example","allowed_tools":[{"tools":["find"]}]}"#,
                r#"{"type":"later","x":1}"#,
                r#"{"type":"function","name":"bare"}"#,
            ],
            AgentApi => &[
                r#"{"type":"web_search"}"#,
                r#"{"type":"later","x":1}"#,
                r#"{"type":"mcp","server_label":"s","server_url":"https://mcp.example"}"#,
            ],
            _ => &[],
        },
        number,
    )
}

/// Adds a member that only some protocol has to a request.
pub fn add_member(protocol: ProtocolKind, number: Option<usize>, request: &mut Value) {
    const ALL: [(&str, &str); MEMBERS] = [
        ("later_member", r#"{"x":1}"#),
        ("logit_bias", r#"{"50256":-100}"#),
        ("include", r#"["reasoning.encrypted_content"]"#),
        ("truncation", r#""auto""#),
        ("safetySettings", r#"[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]"#),
        ("context_management", r#"{"edits":[]}"#),
        ("stream_options", r#"{"include_usage":true}"#),
        ("previous_interaction_id", r#""v1_a""#),
        ("previous_response_id", r#""resp_1""#),
        ("cachedContent", r#""cachedContents/c""#),
    ];
    let Some(number) = number else { return };
    let (name, value) = ALL[number];
    // Two protocols have it, in different forms.
    let name = if name == "context_management" && protocol != Anthropic {
        "later_management"
    } else {
        name
    };
    request[name] = parsed(&[value], 0).remove(0);
}

/// Parses the values of a row of the table.
fn parsed(table: &[&str], number: usize) -> Vec<Value> {
    let Some(row) = table.get(number % table.len().max(1)) else { return Vec::new() };
    serde_json::from_str(&format!("[{row}]")).unwrap_or_else(|error| panic!("{row}: {error}"))
}
