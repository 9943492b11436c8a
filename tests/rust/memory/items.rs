//! Items of responses that no recording has, each with an event that is about it.

/// Events of items that no recording has: each item is added, and its event is repeated with the
/// index of the repetition.
pub const ITEMS: &[(&str, &str)] = &[
    (
        r#"{"type":"shell_call","id":"i","call_id":"c","status":"in_progress","action":{"commands":[]}}"#,
        r#""type":"response.shell_call_command.added","command_index":0,"command":"x""#,
    ),
    (
        r#"{"type":"shell_call","id":"i","call_id":"c","status":"in_progress","action":{"commands":[]}}"#,
        r#""type":"response.shell_call_command.delta","command_index":0,"delta":"x""#,
    ),
    (
        r#"{"type":"shell_call","id":"i","call_id":"c","status":"in_progress","action":{"commands":[]}}"#,
        r#""type":"response.shell_call_command.done","command_index":0,"command":"x""#,
    ),
    (
        r#"{"type":"shell_call_output","id":"i","call_id":"c","status":"in_progress","output":[]}"#,
        r#""type":"response.shell_call_output_content.delta","command_index":0,"delta":{"stdout":"x"}"#,
    ),
    (
        r#"{"type":"shell_call_output","id":"i","call_id":"c","status":"in_progress","output":[]}"#,
        r#""type":"response.shell_call_output_content.done","command_index":0,"output":[{}]"#,
    ),
    (
        r#"{"type":"code_interpreter_call","id":"i","status":"in_progress","code":"","container_id":"k","outputs":[]}"#,
        r#""type":"response.code_interpreter_call_code.delta","delta":"x""#,
    ),
    (
        r#"{"type":"code_interpreter_call","id":"i","status":"in_progress","code":"","container_id":"k","outputs":[]}"#,
        r#""type":"response.code_interpreter_call_code.done","code":"x""#,
    ),
    (
        r#"{"type":"mcp_call","id":"i","status":"in_progress","name":"f","server_label":"s","arguments":""}"#,
        r#""type":"response.mcp_call_arguments.delta","delta":"x""#,
    ),
    (
        r#"{"type":"mcp_call","id":"i","status":"in_progress","name":"f","server_label":"s","arguments":""}"#,
        r#""type":"response.mcp_call.completed""#,
    ),
    (
        r#"{"type":"web_search_call","id":"i","status":"in_progress"}"#,
        r#""type":"response.web_search_call.searching""#,
    ),
    (
        r#"{"type":"file_search_call","id":"i","status":"in_progress","queries":[]}"#,
        r#""type":"response.file_search_call.searching""#,
    ),
    (
        r#"{"type":"image_generation_call","id":"i","status":"in_progress","result":null}"#,
        r#""type":"response.image_generation_call.partial_image","partial_image_index":0,"partial_image_b64":"x""#,
    ),
    (
        r#"{"type":"custom_tool_call","id":"i","call_id":"c","name":"f","input":""}"#,
        r#""type":"response.custom_tool_call_input.delta","delta":"x""#,
    ),
    (
        r#"{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":""}"#,
        r#""type":"response.function_call_arguments.done","arguments":"x""#,
    ),
    (
        r#"{"type":"message","id":"i","role":"assistant","status":"in_progress","content":[]}"#,
        r#""type":"response.output_text.annotation.added","content_index":0,"annotation_index":0,"annotation":{}"#,
    ),
    (
        r#"{"type":"message","id":"i","role":"assistant","status":"in_progress","content":[]}"#,
        r#""type":"response.output_text.delta","content_index":0,"delta":"x","logprobs":[]"#,
    ),
    (
        r#"{"type":"message","id":"i","role":"assistant","status":"in_progress","content":[]}"#,
        r#""type":"response.refusal.delta","content_index":0,"delta":"x""#,
    ),
    (
        r#"{"type":"reasoning","id":"i","summary":[]}"#,
        r#""type":"response.reasoning_summary_part.added","summary_index":0,"part":{"type":"summary_text","text":""}"#,
    ),
    (
        r#"{"type":"reasoning","id":"i","summary":[]}"#,
        r#""type":"response.reasoning_text.delta","content_index":0,"delta":"x""#,
    ),
    (
        r#"{"type":"apply_patch_call","id":"i","call_id":"c","status":"in_progress","operation":{"type":"delete_file","path":"p"}}"#,
        r#""type":"response.apply_patch_call_operation_diff.delta","delta":"x""#,
    ),
    (
        r#"{"type":"computer_call","id":"i","call_id":"c","status":"in_progress","pending_safety_checks":[]}"#,
        r#""type":"response.in_progress","response":{"id":"r","output":[]}"#,
    ),
    (
        r#"{"type":"local_shell_call","id":"i","call_id":"c","status":"in_progress","action":{}}"#,
        r#""type":"response.in_progress","response":{"id":"r","output":[]}"#,
    ),
    (
        r#"{"type":"mcp_list_tools","id":"i","server_label":"s","tools":[]}"#,
        r#""type":"response.mcp_list_tools.completed""#,
    ),
    (
        r#"{"type":"mcp_approval_request","id":"i","name":"f","server_label":"s","arguments":"{}"}"#,
        r#""type":"response.mcp_call_arguments.delta","delta":"x""#,
    ),
    (
        r#"{"type":"compaction","id":"i","encrypted_content":"x"}"#,
        r#""type":"response.compaction.compacting""#,
    ),
];

/// The beginning of a response to which an item is added, and the event that adds it.
pub fn head(item: &str) -> (String, String) {
    let created = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;
    let added =
        format!(r#"{{"type":"response.output_item.added","output_index":0,"item":{item}}}"#);
    (format!("data: {created}\n\ndata: {added}\n\n"), added)
}
