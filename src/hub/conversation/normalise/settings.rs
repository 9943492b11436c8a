//! The settings of the answer, as far as the target has them.

use super::thinking;
use crate::hub::conversation::requirements::{ChoiceKinds, OutputKinds, Requirements, Sampling};
use crate::hub::conversation::{Conversation, Function, SettingKey, Settings, Tool, ToolChoice};
use crate::hub::loss::{LossClass, Losses};
use crate::json::Value;

/// Checks the settings after the tools: the choice of a tool is nothing without tools.
pub(super) fn check(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if !to.conversation_id && conversation.id.take().is_some() {
        let reason = "each request has the whole conversation";
        losses.add(LossClass::Cosmetic, "conversation", "", reason);
    }
    choice(conversation, to, losses);
    if conversation.tools.is_empty() {
        conversation.settings.choice = None;
        to.with_tools.iter().for_each(|key| drop(conversation.settings.remove(*key)));
    }
    let own = conversation.format == to.format;
    let settings = &mut conversation.settings;
    output(settings, to, losses);
    tier(settings, to, losses);
    temperature(settings, to, losses);
    thinking::express(conversation, to, losses);
    let settings = &mut conversation.settings;
    maximum(settings, to, losses);
    sampling(settings, to, losses);
    if to.metadata_needs_store && settings.get(SettingKey::Metadata).is_some() && !own {
        match settings.get(SettingKey::Store).and_then(Value::as_bool) {
            Some(true) => {}
            // Responses are stored by default.
            None if conversation.format == "responses" => settings.set(SettingKey::Store, true),
            _ => {
                settings.remove(SettingKey::Metadata);
                let reason = "only requests that are stored have metadata";
                losses.add(LossClass::Cosmetic, "parameter", "metadata", reason);
            }
        }
    }
    settings.scalars.retain(|(key, value)| {
        let is_known = own || to.has_setting(*key);
        if !is_known && !is_default(*key, value) {
            losses.add(key.class(), "parameter", key.name(), "the target has no such setting");
        }
        is_known
    });
}

/// Whether a setting says what a target does that does not have it.
fn is_default(key: SettingKey, value: &Value) -> bool {
    match key {
        SettingKey::Stream => true,
        SettingKey::Parallel => *value == Value::Bool(true),
        SettingKey::Store => *value == Value::Bool(false),
        SettingKey::Count => *value == Value::from(1),
        SettingKey::Effort => value.as_str() == Some("none"),
        SettingKey::Thinking => value.as_str() == Some("disabled"),
        _ => false,
    }
}

fn choice(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let settings = &mut conversation.settings;
    let only_allowed = matches!(to.choices, ChoiceKinds::Simple | ChoiceKinds::Unforced);
    if let Some(ToolChoice::Allowed { required, names }) = settings.choice.as_ref().filter(|_| only_allowed) {
        let reason = "only the allowed tools are offered";
        losses.add(LossClass::Cosmetic, "parameter", "allowed_tools", reason);
        conversation
            .tools
            .retain(|tool| !matches!(tool, Tool::Function(Function { name, .. }) if !names.contains(name)));
        settings.choice = Some(if *required { ToolChoice::Required } else { ToolChoice::Auto });
    }
    match (&settings.choice, to.choices) {
        (None, _) | (_, ChoiceKinds::Allowed | ChoiceKinds::Simple) => {}
        (Some(ToolChoice::Auto), ChoiceKinds::None) => settings.choice = None,
        (Some(ToolChoice::Auto | ToolChoice::None), ChoiceKinds::Unforced) => {}
        (Some(_), ChoiceKinds::Unforced) => {
            settings.choice = Some(ToolChoice::Auto);
            let reason = "the target cannot be forced to call a tool";
            losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
        }
        (Some(_), ChoiceKinds::None) => {
            settings.choice = None;
            let reason = "the target has no choice of tools";
            losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
        }
    }
}

fn output(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let Some(output) = &mut settings.output else { return };
    let reason = match (to.output, &output.schema) {
        (OutputKinds::Object, Some(_)) => {
            output.schema = None;
            let reason =
                "the target has no JSON Schema for structured answers: it answers with any JSON object";
            return losses.add(LossClass::Contract, "parameter", "output", reason);
        }
        (OutputKinds::None, _) => "the target has no structured answers",
        (OutputKinds::Schema, None) => "the target requires a JSON Schema for structured answers",
        _ => return,
    };
    settings.output = None;
    losses.add(LossClass::Contract, "parameter", "output", reason);
}

fn tier(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let is_unknown = |tier: &str| !to.service_tiers.is_empty() && !to.service_tiers.contains(&tier);
    if settings.text(SettingKey::ServiceTier).is_some_and(is_unknown) {
        settings.remove(SettingKey::ServiceTier);
        let reason = "the target has no such service tier";
        losses.add(LossClass::Quality, "parameter", "service_tier", reason);
    }
}

fn temperature(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    if settings.number(SettingKey::Temperature).is_some_and(|given| given > to.max_temperature) {
        settings.set(SettingKey::Temperature, to.max_temperature as i64);
        let reason = "the highest temperature of the target is lower";
        losses.add(LossClass::Quality, "parameter", "temperature", reason);
    }
}

/// Limits the number of output tokens to that of the model, and sends one if the target requires it. The tokens for reasoning
/// are within it.
fn maximum(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let mut lose = |class, reason| losses.add(class, "parameter", "max_tokens", reason);
    match (settings.number(SettingKey::MaxTokens), to.max_output, to.default_output) {
        (None, _, Some(default)) => {
            settings.set(SettingKey::MaxTokens, default);
            lose(LossClass::Cosmetic, "the target requires a maximum: that of the model is sent");
        }
        (Some(given), Some(highest), _) if given > highest as f64 => {
            settings.set(SettingKey::MaxTokens, highest);
            lose(LossClass::Quality, "the highest maximum of the target is lower");
        }
        _ => {}
    }
    let (budget, most) = (settings.number(SettingKey::Budget), settings.number(SettingKey::MaxTokens));
    let (Some(budget), Some(most)) = (budget, most) else { return };
    if !to.thinking.within_maximum || budget < most {
        return;
    }
    let raised = to.max_output.map_or(budget + most, |highest| (budget + most).min(highest as f64));
    if raised > most {
        settings.set(SettingKey::MaxTokens, raised as i64);
        let reason = "the maximum of the target includes the tokens for reasoning: it was raised by them";
        lose(LossClass::Cosmetic, reason);
    }
    if budget >= raised {
        settings.set(SettingKey::Budget, (raised / 2.0) as i64);
        let reason = "the maximum of the target includes the tokens for reasoning";
        losses.add(LossClass::Quality, "parameter", "thinking_budget", reason);
    }
}

/// Leaves out the controls of sampling that the target refuses.
fn sampling(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    const CONTROLS: [SettingKey; 5] = [
        SettingKey::Temperature,
        SettingKey::TopP,
        SettingKey::TopK,
        SettingKey::Frequency,
        SettingKey::Presence,
    ];
    let reasons = !matches!(settings.text(SettingKey::Effort), None | Some("none"));
    let excluded = match to.sampling {
        _ if to.thinking.exclusive && thinking::is_on(settings) => true,
        Sampling::Never => true,
        Sampling::WithoutReasoning => reasons,
        Sampling::One if settings.get(SettingKey::Temperature).is_some() => {
            if settings.remove(SettingKey::TopP).is_some() {
                let reason = "the target has either a temperature or a probability";
                losses.add(LossClass::Quality, "parameter", "top_p", reason);
            }
            false
        }
        Sampling::One | Sampling::Any => false,
    };
    for key in CONTROLS.into_iter().filter(|_| excluded) {
        let default = if matches!(key, SettingKey::Temperature | SettingKey::TopP) { 1.0 } else { 0.0 };
        let is_changed = settings.number(key).is_some_and(|given| (given - default).abs() > 0.0);
        if settings.remove(key).is_some() && is_changed {
            let reason = "the target refuses it, or refuses it while it reasons";
            losses.add(LossClass::Quality, "parameter", key.name(), reason);
        }
    }
    if to.thinking.exclusive
        && thinking::is_on(settings)
        && matches!(settings.choice, Some(ToolChoice::Required | ToolChoice::Named(_)))
    {
        settings.choice = Some(ToolChoice::Auto);
        let reason = "the target cannot be forced to call a tool while it reasons";
        losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
    }
}
