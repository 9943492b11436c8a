use super::REQUESTS;
use crate::hub::conversation::testing::{
    assert_at, assert_identity, converted, parsed, sent, sorted,
};
use crate::hub::conversation::{
    Call, Content, Conversation, Media, MediaForm, MediaSource, Opaque, Output, Part, RunBy,
    SettingKey, Tool, ToolChoice, ToolResult, Turn, TurnRole,
};
use crate::json::{Member, Value};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

/// A conversation of another protocol.
fn foreign(model: &str, turns: Vec<Turn>) -> Conversation {
    let mut conversation = Conversation { turns, ..Conversation::new("chat") };
    conversation.settings.set(SettingKey::Model, model);
    conversation
}

fn user(text: &str) -> Turn {
    Turn::new(TurnRole::User, vec![Part::text(text)])
}

fn call(name: &str, result: Option<&str>) -> Part {
    let result = result.map(|text| ToolResult::new("c", vec![Part::text(text)]));
    Part::new(Content::Call(Call { result, ..Call::function("c", name, r#"{"a":1}"#) }))
}

fn function(declared: &str) -> String {
    format!(
        r#"{{"contents":[{{"role":"user","parts":[{{"text":"hi"}}]}}],"tools":[{{"functionDeclarations":[{declared}]}}]}}"#
    )
}

fn history(model: &str, user: &str) -> String {
    format!(
        r#"{{"contents":[{{"role":"user","parts":[{{"text":"hi"}}]}},{{"role":"model","parts":[{model}]}},{{"role":"user","parts":[{user}]}}]}}"#
    )
}

#[test]
fn a_request_is_written_as_it_was_read() {
    for request in [
        r#"{"systemInstruction":{"parts":[{"text":"be brief"},{"text":"be kind"}]},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#.into(),
        r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"cachedContent":"cachedContents/1","labels":{"a":"b"},"safetySettings":[{"category":"c","threshold":"t"}],"generationConfig":{"temperature":1.5,"topP":0.5,"topK":40,"candidateCount":2,"maxOutputTokens":99,"stopSequences":["a","b"],"seed":7,"presencePenalty":0.1,"frequencyPenalty":0.2,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":-1},"responseModalities":["TEXT"],"speechConfig":{"languageCode":"de"},"mediaResolution":"MEDIA_RESOLUTION_LOW"},"serviceTier":"flex"}"#.into(),
        r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true}}}}}"#.into(),
        r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}}"#.into(),
        r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}}}"#.into(),
        function(r#"{"name":"f","description":"d","parametersJsonSchema":{"type":"object","properties":{}}}"#),
        function(r#"{"name":"f","description":"d","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING"}}},"response":{"type":"STRING"},"behavior":"BLOCKING"}"#),
        r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}}]},{"googleSearch":{"excludeDomains":["a"]}},{"urlContext":{}}],"toolConfig":{"includeServerSideToolInvocations":true,"functionCallingConfig":{"mode":"VALIDATED"},"retrievalConfig":{"languageCode":"de"}}}"#.into(),
        history(
            r#"{"text":"hm","thought":true},{"functionCall":{"name":"f","args":{"n":12345678901234567890.5}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"f","args":{}}}"#,
            r#"{"functionResponse":{"name":"f","response":{"output":"a"}}},{"functionResponse":{"name":"f","response":{"error":"b"}}}"#,
        ),
        history(
            r#"{"functionCall":{"id":"x","name":"f","args":{}},"thoughtSignature":"s"},{"functionCall":{"id":"y","name":"f","args":{}}}"#,
            r#"{"functionResponse":{"id":"x","name":"f","response":{"temp":18,"unit":"C"}}},{"functionResponse":{"id":"y","name":"f","response":{"result":{"a":[1]}},"willContinue":false,"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA","displayName":"p"}}]}}"#,
        ),
        history(r#"{"text":"","thoughtSignature":"c2ln"}"#, r#"{"text":"and?"}"#),
        history(
            r#"{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","id":"t","args":{"queries":["q"]}},"thoughtSignature":"c2ln"},{"toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","id":"t","response":{"a":1}}},{"text":"done","thoughtSignature":"c2ln"}"#,
            r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"},"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}},{"fileData":{"mimeType":"video/mp4","fileUri":"https://youtu.be/1","displayName":"v"},"videoMetadata":{"fps":1}},{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/a.pdf"}}"#,
        ),
    ] {
        assert_identity(&REQUESTS, &request);
    }
}

#[test]
fn both_spellings_of_members_are_read() {
    let request = r#"{"system_instruction":{"parts":[{"text":"s"}]},"generation_config":{"max_output_tokens":9,"thinking_config":{"thinking_budget":0},"response_mime_type":"application/json","response_json_schema":{"properties":{"a_b":{}}}},"tools":[{"function_declarations":[{"name":"f","parameters_json_schema":{"type":"object","properties":{"a_b":{}}}}]}],"tool_config":{"function_calling_config":{"mode":"ANY","allowed_function_names":["f"]}},"contents":[{"role":"user","parts":[{"inline_data":{"mime_type":"image/png","data":"AAAA"}}]},{"role":"model","parts":[{"function_call":{"name":"f","args":{"a_b":1}},"thought_signature":"s"}]},{"role":"user","parts":[{"function_response":{"name":"f","response":{"output":"1"}}}]}]}"#;
    let camel = r#"{"systemInstruction":{"parts":[{"text":"s"}]},"generationConfig":{"maxOutputTokens":9,"thinkingConfig":{"thinkingBudget":0},"responseMimeType":"application/json","responseJsonSchema":{"properties":{"a_b":{}}}},"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object","properties":{"a_b":{}}}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a_b":1}},"thoughtSignature":"s"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}}]}]}"#;
    assert_identity(&REQUESTS, camel);
    assert_eq!(sorted(&converted(&REQUESTS, request, &REQUESTS).request), sorted(&parsed(camel)));
}

#[test]
fn calls_without_ids_are_paired_by_name_and_order_and_have_stable_ids() {
    let request = history(
        r#"{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}},{"functionCall":{"name":"f","args":{}}}"#,
        r#"{"functionResponse":{"name":"g","response":{"output":"2"}}},{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"name":"f","response":{"output":"3"}}}"#,
    );
    let read = (REQUESTS.read)(parsed(&request));
    let ids: Vec<&str> = read.turns[1].calls().map(|call| &*call.id).collect();
    assert_eq!(ids, ["call_1_0", "call_1_1", "call_1_2"]);
    let results = read.turns[2].parts.iter().map(|part| match &part.content {
        Content::Result(result) => (&*result.call, result.parts[0].as_text().unwrap_or_default()),
        other => panic!("{other:?}"),
    });
    assert_eq!(
        results.collect::<Vec<_>>(),
        [("call_1_1", "2"), ("call_1_0", "1"), ("call_1_2", "3")]
    );
    let longer = request.replace(r#"]}]}"#, r#"]},{"role":"model","parts":[{"text":"done"}]}]}"#);
    let longer = (REQUESTS.read)(parsed(&longer));
    assert_eq!(longer.turns[..3], read.turns[..]);
}

#[test]
fn a_response_is_the_next_turn() {
    let mut conversation =
        (REQUESTS.read)(parsed(r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#));
    let response = r#"{"status":"completed","responseId":"r","modelVersion":"m","usageMetadata":{},"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"","parts":[{"text":"hm","thought":true},{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"no"}},{"functionCall":{"name":"f","args":{},"willContinue":false},"thoughtSignature":"c2ln"},{"text":""},{"text":"","thoughtSignature":"c2lo"},{"functionCall":{"name":"g","args":{},"willContinue":true}}]}},{"index":1,"content":{"parts":[{"text":"other"}]}}]}"#;
    (REQUESTS.append)(&mut conversation, parsed(response));
    let calls: Vec<(&str, &str, RunBy)> =
        conversation.turns[1].calls().map(|call| (&*call.id, &*call.name, call.by)).collect();
    // The stream of the answer gives these ids.
    assert_eq!(calls, [("r-1", "code_execution", RunBy::Provider), ("r-2", "f", RunBy::Client)]);
    let mut pending = conversation.pending();
    let first = pending.next().expect("the call of the client");
    first.result = Some(ToolResult::new("", vec![Part::text("done")]));
    assert!(pending.next().is_none());
    drop(pending);
    let sent = sent(conversation, &REQUESTS);
    let expected = r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"hm","thought":true},{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"no"}},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"},{"text":"","thoughtSignature":"c2lo"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"done"}}}]}]}"#;
    assert_eq!(sorted(&sent.request), sorted(&parsed(expected)));
    assert!(sent.losses.is_empty(), "{:?}", sent.losses);
}

#[test]
fn results_are_appended_to_their_calls() {
    let mut conversation = (REQUESTS.read)(parsed(r#"{"contents":"hi"}"#));
    for content in [
        r#"{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]}"#,
        r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}}]}"#,
    ] {
        (REQUESTS.append)(&mut conversation, parsed(content));
    }
    assert_at(
        &sent(conversation, &REQUESTS).request,
        "contents.2.parts.0.functionResponse.response.output",
        Some("\"1\""),
    );
}

#[test]
fn the_placeholder_is_on_the_first_call_of_each_answer_of_the_current_turn() {
    let signed = {
        let mut signed = call("f", Some("1"));
        signed.opaque = Opaque::new(
            "gemini",
            vec![Member { key: "thoughtSignature".into(), value: "own".into() }],
        );
        signed
    };
    let turns = vec![
        user("a"),
        Turn::new(TurnRole::Assistant, vec![call("f", Some("1"))]),
        user("b"),
        Turn::new(TurnRole::Assistant, vec![call("f", Some("1")), call("g", Some("2"))]),
        Turn::new(TurnRole::Assistant, vec![signed]),
    ];
    let dummy = Some(r#""skip_thought_signature_validator""#);
    for (model, expected) in
        [("gemini-3-flash-preview", dummy), ("m", dummy), ("models/gemini-2.5-pro", None)]
    {
        let request = sent(foreign(model, turns.clone()), &REQUESTS).request;
        assert_at(&request, "contents.1.parts.0.thoughtSignature", None);
        assert_at(&request, "contents.3.parts.0.thoughtSignature", expected);
        assert_at(&request, "contents.3.parts.1.thoughtSignature", None);
        assert_at(&request, "contents.5.parts.0.thoughtSignature", Some("\"own\""));
    }
}

#[test]
fn the_reasoning_is_limited_in_the_way_that_the_model_has() {
    const CONFIG: &str = "generationConfig.thinkingConfig";
    use SettingKey::{Budget, Effort, Thinking};
    for (model, key, value, expected) in [
        ("gemini-2.5-flash", Effort, Value::from("medium"), Some(r#"{"thinkingBudget":8192}"#)),
        ("gemini-2.5-flash", Effort, "none".into(), Some(r#"{"thinkingBudget":0}"#)),
        ("gemini-2.5-flash", Thinking, "disabled".into(), Some(r#"{"thinkingBudget":0}"#)),
        ("gemini-2.5-flash", Thinking, "enabled".into(), None),
        ("gemini-2.5-flash", Budget, 99_999.into(), Some(r#"{"thinkingBudget":24576}"#)),
        ("gemini-3.1-pro-preview", Effort, "xhigh".into(), Some(r#"{"thinkingLevel":"high"}"#)),
        ("gemini-3.1-pro-preview", Effort, "none".into(), Some(r#"{"thinkingLevel":"low"}"#)),
        ("gemini-3.1-pro-preview", Budget, 2_000.into(), Some(r#"{"thinkingLevel":"low"}"#)),
        ("gemini-3.1-pro-preview", Budget, (-1).into(), None),
        ("m", Budget, 2_000.into(), Some(r#"{"thinkingBudget":2000}"#)),
        ("m", Effort, "minimal".into(), Some(r#"{"thinkingLevel":"low"}"#)),
        ("m", SettingKey::Summary, "auto".into(), Some(r#"{"includeThoughts":true}"#)),
    ] {
        let mut conversation = foreign(model, vec![user("hi")]);
        conversation.settings.set(key, value);
        let request = sent(conversation, &REQUESTS).request;
        let config = request.get("generationConfig").is_some().then_some(CONFIG);
        assert_at(&request, config.unwrap_or("generationConfig"), expected);
    }
    let read = (REQUESTS.read)(parsed(
        r#"{"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH"}}}"#,
    ));
    assert_eq!(read.settings.text(Effort), Some("high"));
}

#[test]
fn a_choice_of_tools_is_written_in_each_form() {
    for (choice, expected) in [
        (ToolChoice::Auto, r#"{"mode":"AUTO"}"#),
        (ToolChoice::None, r#"{"mode":"NONE"}"#),
        (ToolChoice::Required, r#"{"mode":"ANY"}"#),
        (ToolChoice::Named("f".into()), r#"{"mode":"ANY","allowedFunctionNames":["f"]}"#),
        (
            ToolChoice::Allowed { required: true, names: vec!["f".into(), "g".into()] },
            r#"{"mode":"ANY","allowedFunctionNames":["f","g"]}"#,
        ),
        (
            ToolChoice::Allowed { required: false, names: vec!["f".into()] },
            r#"{"mode":"VALIDATED","allowedFunctionNames":["f"]}"#,
        ),
    ] {
        let mut conversation = (REQUESTS.read)(parsed(&function(r#"{"name":"f"},{"name":"g"}"#)));
        conversation.settings.choice = Some(choice.clone());
        let request = sent(conversation, &REQUESTS).request;
        assert_at(&request, "toolConfig.functionCallingConfig", Some(expected));
        let read = (REQUESTS.read)(request);
        assert_eq!(read.settings.choice, Some(choice));
        assert!(read.more.is_empty(), "{:?}", read.more);
    }
}

#[test]
fn tools_of_the_server_and_functions() {
    let search = || Tool::Hosted {
        purpose: Some("search"),
        format: "responses".into(),
        value: Value::from([("type", "web_search".into())]),
    };
    let read = (REQUESTS.read)(parsed(&function(r#"{"name":"f"}"#)));
    let offering = |model: &str| {
        let mut conversation = foreign(model, vec![user("hi")]);
        conversation.tools = vec![search(), read.tools[0].clone()];
        conversation.settings.output = Some(Output::default());
        conversation.settings.choice = Some(ToolChoice::Auto);
        sent(conversation, &REQUESTS)
    };
    let both = offering("gemini-3-flash-preview");
    assert_at(&both.request, "tools.1", Some(r#"{"googleSearch":{}}"#));
    assert_at(&both.request, "toolConfig", Some(r#"{"includeServerSideToolInvocations":true}"#));
    assert_at(&both.request, "generationConfig.responseMimeType", Some(r#""application/json""#));
    let functions = offering("gemini-2.5-flash");
    assert_at(&functions.request, "tools.1", None);
    assert_at(&functions.request, "generationConfig", None);
    assert_eq!(functions.losses, ["contract tool web_search", "contract parameter output"]);
    // Only functions can be required.
    let mut conversation = foreign("m", vec![user("hi")]);
    conversation.tools = vec![search()];
    conversation.settings.choice = Some(ToolChoice::Required);
    let sent = sent(conversation, &REQUESTS);
    assert_at(&sent.request, "toolConfig", None);
    assert_eq!(sent.losses, ["contract parameter tool_choice"]);
}

#[test]
fn others_receive_json_schemas() {
    for (own, expected) in [
        (
            r#"{"type":"OBJECT","properties":{"type":{"type":"STRING","format":"enum","enum":["A"]}},"propertyOrdering":["type"]}"#,
            r#"{"type":"object","properties":{"type":{"type":"string","enum":["A"]}}}"#,
        ),
        (
            r#"{"type":"ARRAY","minItems":"1","items":{"anyOf":[{"type":"INTEGER"},{"type":"TYPE_UNSPECIFIED"}],"nullable":true}}"#,
            r#"{"type":"array","minItems":1,"items":{"anyOf":[{"type":"integer"},{},{"type":"null"}]}}"#,
        ),
        (
            r##"{"type":"STRING","nullable":true,"enum":["A"],"defs":{"a":{"type":"NUMBER","ref":"#/b"}}}"##,
            r##"{"type":["string","null"],"enum":["A",null],"$defs":{"a":{"type":"number","$ref":"#/b"}}}"##,
        ),
    ] {
        let declared = format!(r#"{{"name":"f","parameters":{own}}}"#);
        let read = (REQUESTS.read)(parsed(&function(&declared)));
        let Tool::Function(function) = &read.tools[0] else { panic!("a function") };
        assert_eq!(function.schema.as_ref().map(sorted), Some(sorted(&parsed(expected))));
    }
}

#[test]
fn media_are_read_with_type_and_name_and_written() {
    let url = |url: &str| MediaSource::Url(url.into());
    let of_google = |id: &str| MediaSource::File { provider: "google".into(), id: id.into() };
    for (block, kind, source) in [
        (
            r#"{"inlineData":{"mimeType":"audio/wav","data":"AAAA"}}"#,
            MediaForm::Audio,
            MediaSource::Base64("AAAA".into()),
        ),
        (
            r#"{"fileData":{"mimeType":"image/png","fileUri":"https://a/b.png"}}"#,
            MediaForm::Image,
            url("https://a/b.png"),
        ),
        (
            r#"{"fileData":{"fileUri":"https://www.youtube.com/watch?v=1"}}"#,
            MediaForm::Video,
            url("https://www.youtube.com/watch?v=1"),
        ),
        (
            r#"{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/c"}}"#,
            MediaForm::File,
            of_google("gs://b/c"),
        ),
        (
            r#"{"fileData":{"mimeType":"video/mp4","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/1"}}"#,
            MediaForm::Video,
            of_google("https://generativelanguage.googleapis.com/v1beta/files/1"),
        ),
    ] {
        let request = format!(r#"{{"contents":[{{"role":"user","parts":[{block}]}}]}}"#);
        let read = (REQUESTS.read)(parsed(&request));
        let Content::Media(media) = &read.turns[0].parts[0].content else { panic!("{block}") };
        assert_eq!((media.kind, &media.source), (kind, &source), "{block}");
    }
    let mut named = Media::new(MediaForm::Image, url("https://a/b.jpg?s=1"));
    named.name = Some("photo".into());
    named.detail = Some("high".into());
    let foreign_file = MediaSource::File { provider: "openai".into(), id: "file_1".into() };
    let parts = [named, Media::new(MediaForm::File, foreign_file)]
        .map(|media| Part::new(Content::Media(media)));
    let sent = sent(foreign("m", vec![Turn::new(TurnRole::User, parts.into())]), &REQUESTS);
    let image = r#"{"fileData":{"mimeType":"image/jpeg","fileUri":"https://a/b.jpg?s=1"}}"#;
    assert_at(&sent.request, "contents.0.parts.0", Some(image));
    assert_at(&sent.request, "contents.0.parts.1", Some(r#"{"text":"[file left out]"}"#));
    assert_eq!(
        sent.losses,
        ["cosmetic media-detail photo", "cosmetic filename photo", "contract file "]
    );
}

#[test]
fn results_have_images_errors_and_objects() {
    let image = || {
        let mut image = Media::new(MediaForm::Image, MediaSource::Base64("AAAA".into()));
        image.media_type = Some("image/png".into());
        Part::new(Content::Media(image))
    };
    let with = |parts: Vec<Part>, error: bool| {
        let result = Some(ToolResult { error, ..ToolResult::new("c", parts) });
        Part::new(Content::Call(Call { result, ..Call::function("c", "f", "{}") }))
    };
    for (model, part, expected) in [
        (
            "m",
            with(vec![Part::text("a"), Part::text("b")], false),
            r#"[{"functionResponse":{"name":"f","response":{"output":"a\nb"}}}]"#,
        ),
        (
            "m",
            with(vec![Part::text(r#" {"t":1}"#)], false),
            r#"[{"functionResponse":{"name":"f","response":{"t":1}}}]"#,
        ),
        (
            "m",
            with(vec![Part::text(r#"{"error":1}"#)], false),
            r#"[{"functionResponse":{"name":"f","response":{"output":"{\"error\":1}"}}}]"#,
        ),
        (
            "m",
            with(vec![Part::text(r#"{"t":1}"#)], true),
            r#"[{"functionResponse":{"name":"f","response":{"error":"{\"t\":1}"}}}]"#,
        ),
        (
            "gemini-3-flash-preview",
            with(vec![Part::text("a"), image()], false),
            r#"[{"functionResponse":{"name":"f","response":{"output":"a"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]"#,
        ),
        (
            "gemini-2.5-flash",
            with(vec![Part::text("a"), image()], false),
            r#"[{"functionResponse":{"name":"f","response":{"output":"a"}}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]"#,
        ),
    ] {
        let turns = vec![user("hi"), Turn::new(TurnRole::Assistant, vec![part])];
        assert_at(
            &sent(foreign(model, turns), &REQUESTS).request,
            "contents.2.parts",
            Some(expected),
        );
    }
}

#[test]
fn what_the_target_requires() {
    let name = "1.".repeat(40);
    let mut conversation = foreign(
        "m",
        vec![
            Turn::new(TurnRole::Assistant, vec![Part::text("Hi."), Part::text(" ")]),
            user("a"),
            user("b"),
            Turn::new(TurnRole::Developer, vec![Part::text("be brief")]),
            Turn::new(TurnRole::Assistant, vec![Part::reasoning("hm"), call(&name, None)]),
            Turn::new(TurnRole::Assistant, vec![Part::new(Content::Refusal("no".into()))]),
            user("c"),
        ],
    );
    conversation.more = vec![
        Member { key: "safetySettings".into(), value: Value::Array(Vec::new()) },
        Member { key: "imageConfig".into(), value: Value::from([("aspectRatio", "1:1".into())]) },
        Member { key: "logit_bias".into(), value: Value::from(1) },
    ];
    let sent = sent(conversation, &REQUESTS);
    let roles = ["user", "model", "user", "model", "user", "model", "user"]
        .map(|role| format!("\"{role}\""));
    for (at, role) in roles.iter().enumerate() {
        assert_at(&sent.request, &format!("contents.{at}.role"), Some(role));
    }
    assert_at(&sent.request, "contents.2.parts.2.text", Some(r#""<system>be brief</system>""#));
    let legal = sent.request.get("contents").map(Value::to_json).unwrap_or_default();
    assert!(legal.contains(r#""name":"_1_1_"#), "{legal}");
    assert_at(
        &sent.request,
        "contents.4.parts.0.functionResponse.response",
        Some(r#"{"error":"No result."}"#),
    );
    assert_at(&sent.request, "safetySettings", Some("[]"));
    assert_at(&sent.request, "generationConfig.imageConfig.aspectRatio", Some(r#""1:1""#));
    assert_at(&sent.request, "model", None);
    for loss in [
        "quality parameter logit_bias",
        "quality reasoning ",
        "quality call-without-result c",
        "cosmetic blank-text ",
    ] {
        assert!(sent.losses.iter().any(|known| known == loss), "{loss}: {:?}", sent.losses);
    }
}
