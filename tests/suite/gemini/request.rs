//! Requests, parsed, written, and converted to and from the hub.

use agentwire::chat::request::ChatRequest;
use agentwire::gemini::request::GenerateContentRequest;
use agentwire::hub::Losses;
use agentwire::hub::request::convert;

#[test]
fn a_request_round_trips() {
    let json = r#"{"contents":[{"role":"user","parts":[{"text":"What is this?"},{"inlineData":{"mimeType":"image/png","data":"aQ=="}},{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/v"},"videoMetadata":{"fps":1}}]},{"role":"model","parts":[{"text":"Hm","thought":true,"thoughtSignature":"c2ln"},{"functionCall":{"name":"f","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"}}}]}],"systemInstruction":{"parts":[{"text":"Be short."}]},"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}],"generationConfig":{"temperature":0.5,"thinkingConfig":{"includeThoughts":true}},"cachedContent":"cachedContents/c","labels":{"a":"b"}}"#;
    assert_eq!(GenerateContentRequest::parse(json).expect("a request").to_json(), json);
    let refused = GenerateContentRequest::parse(r#"{"contents":[{"parts":"x"}]}"#).unwrap_err();
    assert_eq!(refused.problems()[0].path(), "body.contents.0.parts");
}

#[test]
fn a_chat_completions_request_round_trips() {
    let chat = r#"{"model":"m","messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Weather?"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},{"role":"tool","content":"1","tool_call_id":"a"},{"role":"tool","content":"{\"y\":2}","tool_call_id":"b"},{"role":"user","content":"And?"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}],"tool_choice":"required","stream":true,"max_completion_tokens":9,"stop":"END","seed":7}"#;
    let asked = ChatRequest::parse(chat).expect("a request");
    let mut losses = Losses::default();
    let gemini: GenerateContentRequest = convert(&asked, &mut losses);
    assert_eq!(
        gemini.to_json(),
        concat!(
            r#"{"model":"m","contents":[{"role":"user","parts":[{"text":"Weather?"}]},"#,
            r#"{"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"a","name":"f","args":{"x":1}}},{"functionCall":{"id":"b","name":"g","args":{}}}]},"#,
            r#"{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"b","name":"g","response":{"y":2}}},{"text":"And?"}]}],"#,
            r#""systemInstruction":{"parts":[{"text":"Be short."}]},"#,
            r#""tools":[{"functionDeclarations":[{"name":"f","description":"d","parametersJsonSchema":{"type":"object"}}]}],"#,
            r#""toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"#,
            r#""generationConfig":{"maxOutputTokens":9,"stopSequences":["END"],"seed":7}}"#,
        )
    );
    assert!(losses.is_empty(), "{}", losses.to_json());
    let back: ChatRequest = convert(&gemini, &mut losses);
    assert!(losses.is_empty(), "{}", losses.to_json());
    // A streaming request asks for the token usage, which Gemini always sends.
    let again: GenerateContentRequest = convert(&back, &mut losses);
    assert_eq!(again, gemini);
    assert_eq!(losses.iter().map(|loss| &*loss.location).collect::<Vec<_>>(), ["stream_options"]);
}

#[test]
fn calls_without_ids_use_their_names() {
    let json = r#"{"model":"models/m","contents":[{"parts":[{"text":"Weather?"}]},{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"x":1}}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},"tools":[{"googleSearch":{}}],"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}}"#;
    let mut losses = Losses::default();
    let chat: ChatRequest = convert(&GenerateContentRequest::parse(json).expect("a request"), &mut losses);
    let chat = chat.to_json();
    for part in [
        r#""model":"m""#,
        r#""tool_calls":[{"id":"f","type":"function","function":{"name":"f","arguments":"{}"}}]"#,
        r#"{"role":"tool","content":"{\"x\":1}","tool_call_id":"f"}"#,
        r#""tool_choice":{"type":"function","function":{"name":"f"}}"#,
    ] {
        assert!(chat.contains(part), "{part}: {chat}");
    }
    let lost: Vec<_> = losses.iter().map(|loss| (loss.kind, &*loss.location)).collect();
    assert_eq!(lost, [("opaque", "thoughtSignature"), ("parameter", "thinkingConfig"), ("tool", "tools")]);
}
