//! What the families of models require.

use super::*;

#[test]
fn instructions_follow_the_user_where_the_model_takes_them() {
    let turns = || {
        let asked = [user("hi"), system("a"), answer([called("c", "18")]), system("b")];
        foreign(asked.into_iter().chain([answer([Part::text("18")]), system("c"), user("and?")]))
    };
    let roles = |model| {
        let (request, losses) = sent(&REQUESTS, turns(), model);
        let Some(Value::Array(list)) = request.get("messages") else { panic!("messages") };
        let roles: Vec<String> =
            list.iter().filter_map(|message| message.text("role")).map(String::from).collect();
        (roles.join(" "), losses.count("instructions"))
    };
    let moved = "user assistant user assistant user";
    assert_eq!(roles("claude-sonnet-4-5"), (moved.into(), 3));
    let kept = "user system assistant user system assistant user";
    for model in ["claude-opus-4-8", "claude-sonnet-5", "claude-opus-5-5"] {
        assert_eq!(roles(model), (kept.into(), 1), "{model}");
    }
    for model in ["us.anthropic.claude-opus-5", "claude-opus-5@20260724", "anthropic/claude-opus-5"]
    {
        assert_eq!(roles(model), (moved.into(), 3), "{model}");
    }
}

#[test]
fn the_maximum_is_that_of_the_model() {
    for (model, given, expected, loss) in [
        ("claude-3-haiku-20240307", None, 4_096, Some("cosmetic parameter max_tokens")),
        ("claude-3-5-sonnet-latest", None, 8_192, Some("cosmetic parameter max_tokens")),
        ("claude-3-7-sonnet-20250219", None, 64_000, Some("cosmetic parameter max_tokens")),
        ("claude-opus-4-20250514", None, 32_000, Some("cosmetic parameter max_tokens")),
        ("claude-sonnet-4-5", None, 64_000, Some("cosmetic parameter max_tokens")),
        (
            "us.anthropic.claude-haiku-4-5-20251001-v1:0",
            None,
            64_000,
            Some("cosmetic parameter max_tokens"),
        ),
        ("claude-opus-4-6", None, 128_000, Some("cosmetic parameter max_tokens")),
        ("claude-opus-5", None, 128_000, Some("cosmetic parameter max_tokens")),
        ("claude-haiku-5-5", None, 128_000, Some("cosmetic parameter max_tokens")),
        ("glm-4.6", None, 32_000, Some("cosmetic parameter max_tokens")),
        ("claude-sonnet-4-5", Some(99), 99, None),
        ("claude-sonnet-4-5", Some(100_000), 64_000, Some("quality parameter max_tokens")),
    ] {
        let mut conversation = foreign([user("hi")]);
        if let Some(given) = given {
            conversation.settings.set(SettingKey::MaxTokens, given);
        }
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("max_tokens"), Some(&Value::from(expected)), "{model}");
        assert_eq!(named(&losses).first().map(|name| &**name), loss, "{model}");
    }
}

#[test]
fn sampling_is_controlled_by_one_number() {
    for (model, expected) in [
        ("m", r#"{"temperature":1,"top_p":0.5}"#),
        ("claude-sonnet-4-5", r#"{"temperature":1}"#),
        ("claude-opus-5", "{}"),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::Temperature, parsed("1.6"));
        conversation.settings.set(SettingKey::TopP, parsed("0.5"));
        let (request, _) = sent(&REQUESTS, conversation, model);
        let mut found = Value::Object(Vec::new());
        for key in ["temperature", "top_p"] {
            if let Some(value) = request.get(key) {
                found.insert(key, value.clone());
            }
        }
        assert_eq!(found.to_json(), expected, "{model}");
    }
}

#[test]
fn an_answer_is_not_continued_by_models_that_refuse_it() {
    for (model, expected) in [
        ("claude-sonnet-4-5", r#"[{"type":"text","text":"a"}]}]"#),
        ("claude-opus-4-6", r#"[{"type":"text","text":"(continue)"}]}]"#),
    ] {
        let (request, _) = sent(&REQUESTS, foreign([user("hi"), answer([Part::text("a")])]), model);
        assert!(messages(&request).ends_with(expected), "{model}");
    }
}

#[test]
fn structured_answers_have_a_schema() {
    let output = |schema| Some(Output { name: Some("n".into()), schema, ..Output::default() });
    for (model, schema, expected) in [
        ("m", Some(parsed(r#"{"type":"object"}"#)), true),
        ("m", None, false),
        ("claude-sonnet-4-5", Some(Value::Object(Vec::new())), true),
        ("claude-sonnet-4-20250514", Some(Value::Object(Vec::new())), false),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::MaxTokens, 99);
        conversation.settings.output = output(schema);
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("output_config").is_some(), expected, "{model}");
        assert_eq!(losses.count("parameter"), u64::from(!expected), "{model}");
    }
}

#[test]
fn texts_that_end_an_answer_are_a_list_without_blank_ones() {
    let mut conversation = foreign([user("hi")]);
    conversation.settings.set(SettingKey::MaxTokens, 99);
    conversation.settings.set(SettingKey::Stop, "a");
    let (request, losses) = sent(&REQUESTS, conversation.clone(), "m");
    assert_eq!(request.get("stop_sequences"), Some(&parsed(r#"["a"]"#)));
    assert!(losses.is_empty());
    conversation.settings.set(SettingKey::Stop, parsed(r#"["\n","b"]"#));
    let (request, losses) = sent(&REQUESTS, conversation, "m");
    assert_eq!(request.get("stop_sequences"), Some(&parsed(r#"["b"]"#)));
    assert_eq!(named(&losses), ["contract parameter stop"]);
}
