//! Conversations of other protocols.

use super::*;

#[test]
fn reasoning_in_several_parts_is_one_member() {
    let parts = [Part::reasoning("a"), Part::text("b"), Part::reasoning("c"), called("c", "18")];
    let (request, _) = sent(&REQUESTS, foreign([user("hi"), answer(parts)]), "deepseek-reasoner");
    assert!(messages(&request).contains(r#""reasoning_content":"a\n\nc""#));
    let details = |text: &str| {
        let list = Value::Array([Value::from([("text", text.into())])].into());
        Part::new(Content::Native).with_opaque(Some(Opaque::of_member(
            "chat",
            "reasoning_details",
            list,
        )))
    };
    let mut conversation =
        foreign([user("hi"), answer([details("a"), details("b"), Part::text("c")])]);
    conversation.format = "chat".into();
    let (request, _) = sent(&REQUESTS, conversation, "anthropic/claude-opus-4.6");
    assert!(messages(&request).contains(r#""reasoning_details":[{"text":"a"},{"text":"b"}]"#));
}

#[test]
fn media_that_the_server_does_not_take_are_named() {
    let media = |kind, source| Media::new(kind, source);
    let typed = |kind, source, name: &str| Media {
        media_type: Some(name.into()),
        ..Media::new(kind, source)
    };
    let base64 = |text: &str| MediaSource::Base64(text.into());
    let url = || MediaSource::Url("https://a/b".into());
    for (model, media, expected) in [
        (
            "m",
            media(MediaForm::Image, url()),
            r#"[{"type":"image_url","image_url":{"url":"https://a/b"}}]"#,
        ),
        (
            "m",
            typed(MediaForm::File, base64("JVBE"), "application/pdf"),
            r#"[{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBE","filename":"file.pdf"}}]"#,
        ),
        (
            "m",
            typed(MediaForm::Audio, base64("AAAA"), "audio/mpeg"),
            r#"[{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}]"#,
        ),
        ("m", typed(MediaForm::Audio, base64("AAAA"), "audio/ogg"), r#""[audio left out]""#),
        ("m", typed(MediaForm::File, base64("aMO4"), "text/plain"), r#""hø""#),
        ("m", typed(MediaForm::Image, base64("AAAA"), "image/svg+xml"), r#""[image left out]""#),
        ("m", media(MediaForm::File, url()), r#""[file left out]""#),
        (
            "m",
            media(
                MediaForm::File,
                MediaSource::File { provider: "anthropic".into(), id: "file_1".into() },
            ),
            r#""[file left out]""#,
        ),
        ("deepseek-chat", media(MediaForm::Image, url()), r#""[image left out]""#),
    ] {
        let turn = Turn::new(TurnRole::User, [Part::new(Content::Media(media.clone()))].into());
        let (request, losses) = sent(&REQUESTS, foreign([turn]), model);
        let expected = [r#"[{"role":"user","content":"#, expected, "}]"].concat();
        assert_eq!(messages(&request), expected, "{media:?}");
        assert_eq!(
            losses.is_empty(),
            !expected.contains("left out") && !expected.contains("hø"),
            "{media:?}"
        );
    }
}

#[test]
fn results_are_text_and_an_image_is_named() {
    let mut call = Call::function("c", "f", "{}");
    let image = Media::new(MediaForm::Image, MediaSource::Base64("iVBO".into()));
    let parts = [
        Part::text("shot"),
        Part::new(Content::Media(image)),
        Part::new(Content::Data(Value::from(1))),
    ];
    call.result = Some(ToolResult { error: true, ..ToolResult::new("c", parts.into()) });
    let (request, losses) =
        sent(&REQUESTS, foreign([user("hi"), answer([Part::new(Content::Call(call))])]), "m");
    let result = r#"{"role":"tool","tool_call_id":"c","content":"shot\n[image left out]\n1"}]"#;
    assert!(messages(&request).ends_with(result), "{}", messages(&request));
    assert_eq!(named(&losses), ["cosmetic tool-error c", "contract image", "cosmetic data"]);
}

#[test]
fn streams_of_other_protocols_report_their_usage() {
    for (format, stream, expected) in [
        ("other", true, Some(r#"{"include_usage":true}"#)),
        ("other", false, None),
        ("chat", true, None),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.format = format.into();
        conversation.settings.set(SettingKey::Stream, stream);
        let (request, _) = sent(&REQUESTS, conversation, "m");
        assert_eq!(request.get("stream_options").map(Value::to_json).as_deref(), expected);
    }
}

#[test]
fn what_the_provider_ran_is_sent_as_a_call_of_a_function() {
    let mut call = Call::function("s", "web_search", "{}");
    call.by = RunBy::Provider;
    call.result =
        Some(ToolResult::new("s", [Part::new(Content::Data(Value::from("https://a")))].into()));
    let known = Part::new(Content::Call(call.clone()));
    call.result = None;
    let unknown = Part::new(Content::Call(call));
    let turn = answer([known, unknown, Part::text("Found.")]);
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), turn]), "m");
    let expected = r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"Found.","tool_calls":[{"id":"s","type":"function","function":{"name":"web_search","arguments":"{}"}}]},{"role":"tool","tool_call_id":"s","content":"\"https://a\""}]"#;
    assert_eq!(messages(&request), expected);
    assert_eq!(
        named(&losses),
        ["cosmetic hosted-call web_search", "cosmetic data", "quality hosted-call web_search"]
    );
}

#[test]
fn members_that_other_protocols_share_are_kept() {
    let with = |members: &str| {
        let mut conversation = foreign([user("hi")]);
        let Value::Object(members) = parsed(members) else { panic!("an object") };
        conversation.more = members;
        conversation
    };
    let members = r#"{"top_logprobs":3,"provider":{"order":["a"]},"truncation":"auto"}"#;
    let (request, losses) = sent(&REQUESTS, with(members), "m");
    let expected = r#""top_logprobs":3,"provider":{"order":["a"]}}"#;
    assert!(request.to_json().ends_with(expected), "{}", request.to_json());
    assert_eq!(request.get("logprobs"), Some(&Value::Bool(true)));
    assert_eq!(named(&losses), ["quality parameter truncation"]);
    let (request, losses) = sent(&REQUESTS, with(members), "gpt-5");
    assert_eq!(request.get("provider"), None);
    assert_eq!(losses.count("parameter"), 2);
}
