//! What coding agents send in requests of Responses besides functions: tools that items add, tools
//! that the client runs in a form of the protocol, several outputs of one call.

use agentwire::ProtocolKind::{self, Anthropic, Chat, Gemini, Responses};
use agentwire::builder::Counter;
use agentwire::convert::{RequestOptions, convert_request};
use agentwire::hub::Losses;
use agentwire::hub::conversation::Back;

const MODELS: [ProtocolKind; 3] = [Chat, Anthropic, Gemini];

fn converted(request: &str, to: ProtocolKind) -> (String, Back, Losses) {
    let (mut losses, options) = (Losses::default(), RequestOptions::default());
    let ids = &mut Counter::default();
    let sent = convert_request(Responses, request, to, &options, ids, &mut losses);
    let sent = sent.unwrap_or_else(|error| panic!("{error}"));
    (sent.json, sent.back, losses)
}

/// Returns a tool of the client that the model knows in another form.
fn tool_of<'b>(back: &'b Back, sent: &str) -> (&'b str, Option<&'b str>, bool, Option<&'b str>) {
    let tool = back.tool(sent).unwrap_or_else(|| panic!("no tool {sent}: {back:?}"));
    (&tool.name, tool.namespace.as_deref(), tool.is_text, tool.item.as_deref())
}

#[test]
fn tools_that_an_item_adds_are_offered() {
    let request = r#"{"model":"m","input":[
        {"type":"additional_tools","id":"at_1","role":"developer","tools":[
            {"type":"namespace","name":"functions","tools":[
                {"type":"custom","name":"exec","description":"Runs.","format":{"type":"grammar","syntax":"lark","definition":"start: /[\\s\\S]+/"}},
                {"type":"function","name":"wait","strict":false,"parameters":{"type":"object","properties":{}}}]}]},
        {"type":"message","role":"user","content":"hi"}]}"#;
    for to in MODELS {
        let (json, back, losses) = converted(request, to);
        assert!(
            json.contains(r#""functions__exec""#) && json.contains(r#""functions__wait""#),
            "{json}"
        );
        assert_eq!(tool_of(&back, "functions__exec").1, Some("functions"));
        assert_eq!(tool_of(&back, "functions__wait"), ("wait", Some("functions"), false, None));
        assert_eq!(losses.count("opaque"), 0, "{to:?}: {losses:?}");
        assert!(!json.contains("additional_tools"), "{json}");
    }
    let (json, back, _) = converted(request, Anthropic);
    assert_eq!(tool_of(&back, "functions__exec"), ("exec", Some("functions"), true, None));
    assert!(json.contains("follows this grammar (lark)"), "{json}");
}

#[test]
fn a_request_that_repeats_added_tools_offers_them_once() {
    let tools = r#"{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"wait","parameters":{"type":"object"}}]}"#;
    let request = format!(
        r#"{{"model":"m","input":[{tools},{{"role":"user","content":"hi"}},{{"role":"assistant","content":"ho"}},{tools},{{"role":"user","content":"and?"}}]}}"#
    );
    for to in MODELS {
        let (json, _, losses) = converted(&request, to);
        assert_eq!(json.matches(r#""name":"wait""#).count(), 1, "{json}");
        assert_eq!(losses.count("tool"), 0, "{losses:?}");
    }
}

#[test]
fn tools_that_a_search_has_found_are_offered_and_named() {
    let request = r#"{"model":"m","tools":[{"type":"tool_search","execution":"client","description":"Searches.","parameters":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}],
        "input":[{"role":"user","content":"count"},
        {"type":"tool_search_call","call_id":"c1","status":"completed","execution":"client","arguments":{"query":"words"}},
        {"type":"tool_search_output","call_id":"c1","status":"completed","execution":"client","tools":[
            {"type":"namespace","name":"mcp__notes","tools":[{"type":"function","name":"count","description":"Counts.","parameters":{"type":"object","properties":{}}}]}]},
        {"type":"function_call","call_id":"c2","name":"count","namespace":"mcp__notes","arguments":"{}"},
        {"type":"function_call_output","call_id":"c2","output":"3"}]}"#;
    for to in MODELS {
        let (json, back, _) = converted(request, to);
        assert_eq!(
            tool_of(&back, "tool_search"),
            ("tool_search", None, false, Some("tool_search_call"))
        );
        assert_eq!(tool_of(&back, "mcp__notes__count").0, "count");
        // The declaration, the result of the search, and the call; results of Gemini have the name.
        let named = if to == Gemini { 4 } else { 3 };
        assert_eq!(json.matches("mcp__notes__count").count(), named, "{json}");
        assert!(json.contains("Counts."), "{json}");
    }
}

#[test]
fn tools_of_the_client_are_functions() {
    for (declaration, name, item) in [
        (r#"{"type":"local_shell"}"#, "local_shell", "local_shell_call"),
        (r#"{"type":"shell"}"#, "shell", "shell_call"),
        (r#"{"type":"apply_patch"}"#, "apply_patch", "apply_patch_call"),
    ] {
        let request = format!(r#"{{"model":"m","input":"hi","tools":[{declaration}]}}"#);
        for to in MODELS {
            let (json, back, losses) = converted(&request, to);
            assert_eq!(tool_of(&back, name), (name, None, false, Some(item)));
            assert!(json.contains(&format!(r#""name":"{name}""#)), "{json}");
            assert_eq!((losses.count("tool"), losses.count("tool-form")), (0, 1), "{losses:?}");
        }
    }
    let of_server = r#"{"model":"m","input":"hi","tools":[{"type":"shell","environment":{"type":"container_auto"}}]}"#;
    assert_eq!(converted(of_server, Chat).2.count("tool"), 1);
}

#[test]
fn several_outputs_of_a_call_are_one_result() {
    let request = r#"{"model":"m","tools":[{"type":"custom","name":"exec"}],"input":[{"role":"user","content":"go"},
        {"type":"custom_tool_call","call_id":"c1","name":"exec","input":"x"},
        {"type":"custom_tool_call_output","call_id":"c1","output":"half"},
        {"type":"custom_tool_call_output","call_id":"c1","output":"whole"},
        {"type":"custom_tool_call_output","call_id":"c1","output":"whole"}]}"#;
    for to in MODELS {
        let (json, _, losses) = converted(request, to);
        let (half, whole) = (json.find("half").unwrap(), json.find("whole").unwrap());
        assert!(half < whole, "{json}");
        assert_eq!(losses.count("result-without-call"), 0, "{losses:?}");
        assert_eq!(losses.count("result-further"), 2, "{losses:?}");
    }
}

#[test]
fn a_request_of_the_same_protocol_keeps_added_tools() {
    // An envelope: the request is not passed through.
    let state = "aw1.x";
    let request = format!(
        r#"{{"model":"m","input":[{{"type":"additional_tools","role":"developer","tools":[{{"type":"custom","name":"exec"}}]}},
        {{"role":"user","content":"hi"}},{{"type":"reasoning","summary":[],"encrypted_content":"{state}"}},{{"role":"assistant","content":"ho"}},{{"role":"user","content":"and?"}}]}}"#
    );
    let (json, back, _) = converted(&request, Responses);
    assert!(json.contains(r#""type":"additional_tools""#), "{json}");
    assert!(back.is_empty(), "{back:?}");
}
