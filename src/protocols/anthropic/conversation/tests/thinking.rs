//! How the models are told to think.

use super::*;

#[test]
fn an_effort_is_expressed_as_the_model_takes_it() {
    for (model, effort, expected) in [
        ("claude-3-5-haiku-latest", "high", r#"{"max_tokens":8192}"#),
        ("claude-sonnet-4-5", "high", r#"{"thinking":{"type":"enabled","budget_tokens":16384}}"#),
        ("claude-sonnet-4-5", "none", r#"{"thinking":{"type":"disabled"}}"#),
        (
            "claude-opus-4-5",
            "xhigh",
            r#"{"thinking":{"type":"enabled","budget_tokens":16384},"output_config":{"effort":"high"}}"#,
        ),
        (
            "claude-opus-4-6",
            "high",
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}}"#,
        ),
        (
            "claude-opus-4-6",
            "xhigh",
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}}"#,
        ),
        (
            "claude-opus-5",
            "xhigh",
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"xhigh"}}"#,
        ),
        (
            "claude-opus-5",
            "minimal",
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"#,
        ),
        ("claude-opus-5", "none", r#"{"thinking":{"type":"disabled"}}"#),
        ("claude-sonnet-5-5", "none", r#"{"thinking":{"type":"between_tools"}}"#),
        (
            "claude-opus-5-5",
            "none",
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"#,
        ),
        ("m", "medium", r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}}"#),
    ] {
        let found = thinking(&[(SettingKey::Effort, effort.into())], model);
        assert_eq!(found, in_order(expected), "{model} {effort}");
    }
}

#[test]
fn a_number_of_tokens_is_expressed_as_the_model_takes_it() {
    for (model, budget, most, expected) in [
        (
            "claude-sonnet-4-5",
            2_000,
            20_000,
            r#"{"thinking":{"type":"enabled","budget_tokens":2000}}"#,
        ),
        (
            "claude-sonnet-4-5",
            10,
            20_000,
            r#"{"thinking":{"type":"enabled","budget_tokens":1024}}"#,
        ),
        (
            "claude-sonnet-4-5",
            3_000,
            300,
            r#"{"max_tokens":3300,"thinking":{"type":"enabled","budget_tokens":3000}}"#,
        ),
        (
            "claude-opus-4-1",
            40_000,
            32_000,
            r#"{"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":16000}}"#,
        ),
        (
            "claude-opus-4-6",
            2_000,
            20_000,
            r#"{"thinking":{"type":"enabled","budget_tokens":2000}}"#,
        ),
        (
            "claude-sonnet-5",
            2_000,
            20_000,
            r#"{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"#,
        ),
        ("claude-sonnet-5", 0, 20_000, r#"{"thinking":{"type":"disabled"}}"#),
        ("claude-sonnet-5", -1, 20_000, r#"{"thinking":{"type":"adaptive"}}"#),
        ("m", 2_000, 20_000, r#"{"thinking":{"type":"enabled","budget_tokens":2000}}"#),
    ] {
        let settings = [(SettingKey::Budget, budget.into()), (SettingKey::MaxTokens, most.into())];
        assert_eq!(thinking(&settings, model), in_order(expected), "{model} {budget}");
    }
}

#[test]
fn the_switch_of_thinking_has_the_values_of_the_model() {
    let on = |mode: &str| {
        [(SettingKey::Thinking, Value::from(mode)), (SettingKey::Summary, "auto".into())]
    };
    for (model, mode, expected) in [
        (
            "claude-sonnet-4-5",
            "adaptive",
            r#"{"thinking":{"type":"enabled","budget_tokens":16384,"display":"summarized"}}"#,
        ),
        (
            "claude-opus-4-8",
            "enabled",
            r#"{"thinking":{"type":"adaptive","display":"summarized"}}"#,
        ),
        ("claude-opus-4-8", "disabled", r#"{"thinking":{"type":"disabled"}}"#),
        ("claude-3-5-haiku-latest", "enabled", r#"{"max_tokens":8192}"#),
    ] {
        assert_eq!(thinking(&on(mode), model), in_order(expected), "{model} {mode}");
    }
    // A summary alone does not turn it on.
    assert_eq!(thinking(&[(SettingKey::Summary, "auto".into())], "claude-opus-4-8"), "{}");
}

#[test]
fn thinking_excludes_what_the_model_refuses_with_it() {
    for (model, effort, temperature, choice) in [
        ("claude-sonnet-4-5", None, true, "any"),
        ("claude-sonnet-4-5", Some("high"), false, "auto"),
        ("claude-opus-4-6", Some("high"), false, "auto"),
        ("claude-opus-4-8", Some("high"), false, "any"),
        ("claude-opus-5-5", None, false, "auto"),
        ("claude-opus-5-5", Some("high"), false, "auto"),
    ] {
        let mut conversation = foreign([user("hi")]);
        conversation.settings.set(SettingKey::MaxTokens, 20_000);
        conversation.settings.set(SettingKey::Temperature, 0);
        conversation.settings.choice = Some(ToolChoice::Required);
        conversation.tools.push(function("f"));
        if let Some(effort) = effort {
            conversation.settings.set(SettingKey::Effort, effort);
        }
        let (request, losses) = sent(&REQUESTS, conversation, model);
        assert_eq!(request.get("temperature").is_some(), temperature, "{model}");
        assert_eq!(
            request.get("tool_choice").and_then(|given| given.text("type")),
            Some(choice),
            "{model}"
        );
        let expected = u64::from(!temperature) + u64::from(choice == "auto");
        assert_eq!(losses.count("parameter"), expected, "{model} {:?}", named(&losses));
    }
}

#[test]
fn a_tool_loop_without_its_thinking_turns_it_off() {
    let with = |turns: Vec<Turn>| {
        let mut conversation = foreign(turns);
        conversation.settings.set(SettingKey::Thinking, "enabled");
        conversation.settings.set(SettingKey::Budget, 2_000);
        conversation.settings.set(SettingKey::MaxTokens, 20_000);
        conversation
    };
    let cited = || {
        let citations =
            Opaque::of_member("anthropic", "citations", Value::Array([Value::from(1)].into()));
        Part::text("a").with_opaque(Some(citations))
    };
    let call = || called("c", "18");
    for (turns, is_on) in [
        (Vec::from([user("hi"), answer([call()])]), false),
        (Vec::from([user("hi"), answer([thought("s"), call()])]), true),
        (Vec::from([user("hi"), answer([thought("s"), call()]), answer([call()])]), false),
        (Vec::from([user("hi"), answer([cited(), call()])]), false),
        // The text is in the message with the result.
        (Vec::from([user("hi"), answer([call()]), user("and?")]), false),
        (Vec::from([user("hi"), answer([call()]), answer([Part::text("18")]), user("and?")]), true),
    ] {
        let about = alloc::format!("{turns:?}");
        let (request, losses) = sent(&REQUESTS, with(turns), "claude-sonnet-4-5");
        let mode = request.get("thinking").and_then(|thinking| thinking.text("type"));
        assert_eq!(mode, Some(if is_on { "enabled" } else { "disabled" }), "{about}");
        assert_eq!(losses.count("parameter"), u64::from(!is_on), "{about}");
    }
    // Models that decide themselves accept it.
    let (request, _) =
        sent(&REQUESTS, with(Vec::from([user("hi"), answer([call()])])), "claude-opus-5");
    assert_eq!(
        request.get("thinking").map(Value::to_json).as_deref(),
        Some(r#"{"type":"adaptive"}"#)
    );
}

#[test]
fn reasoning_of_others_is_left_out() {
    let foreign_state = Part::reasoning("t").with_opaque(Some(Opaque::of_member(
        "gemini",
        "thoughtSignature",
        "x",
    )));
    let turn = answer([foreign_state, Part::reasoning("u"), Part::text("a")]);
    let (request, losses) = sent(&REQUESTS, foreign([user("hi"), turn, user("and?")]), "m");
    assert!(!request.to_json().contains("thinking"), "{}", request.to_json());
    assert_eq!(
        named(&losses),
        ["cosmetic parameter max_tokens", "quality opaque thoughtSignature", "quality reasoning"]
    );
}
