//! Requests, parsed and written.

use agentwire::gemini::request::GenerateContentRequest;

#[test]
fn a_request_round_trips() {
    let json = r#"{"contents":[{"role":"user","parts":[{"text":"What is this?"},{"inlineData":{"mimeType":"image/png","data":"aQ=="}},{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/v"},"videoMetadata":{"fps":1}}]},{"role":"model","parts":[{"text":"Hm","thought":true,"thoughtSignature":"c2ln"},{"functionCall":{"name":"f","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"}}}]}],"systemInstruction":{"parts":[{"text":"Be short."}]},"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}],"generationConfig":{"temperature":0.5,"thinkingConfig":{"includeThoughts":true}},"cachedContent":"cachedContents/c","labels":{"a":"b"}}"#;
    assert_eq!(GenerateContentRequest::parse(json).expect("a request").to_json(), json);
    let refused = GenerateContentRequest::parse(r#"{"contents":[{"parts":"x"}]}"#).unwrap_err();
    assert_eq!(refused.problems()[0].path(), "body.contents.0.parts");
}
