//! The settings of the answer, as far as the target has them.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{request, thinking};
use crate::hub::conversation::members::{gathered, into_list};
use crate::hub::conversation::requirements::{ChoiceKinds, OutputKinds, Requirements, Sampling};
use crate::hub::conversation::{Conversation, Function, SettingKey, Settings, Tool, ToolChoice};
use crate::hub::loss::{LossClass, Losses};
use crate::json::Value;

/// Checks the settings after the tools: the choice of a tool is nothing without tools.
pub(super) fn check(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if !conversation.tools.is_empty() {
        choice(conversation, to, losses);
    }
    if conversation.tools.is_empty() {
        conversation.settings.choice = None;
        to.with_tools.iter().for_each(|key| drop(conversation.settings.remove(*key)));
    }
    lone_functions(conversation, to, losses);
    let own = conversation.format == to.format;
    let settings = &mut conversation.settings;
    // No server writes summaries that it is not asked for.
    if !own {
        settings
            .scalars
            .retain(|(key, value)| *key != SettingKey::Summary || !is_usual(*key, value));
    }
    output(settings, to, losses);
    tier(settings, to, losses);
    temperature(settings, to, losses);
    thinking::express(conversation, to, losses);
    let settings = &mut conversation.settings;
    maximum(settings, to, own, losses);
    sampling(settings, to, losses);
    if !own {
        stops(settings, to, losses);
    }
    let has_metadata = settings.get(SettingKey::Metadata).is_some() && !own;
    // Responses are stored by default.
    if has_metadata
        && conversation.format == "responses"
        && settings.get(SettingKey::Store).is_none()
        && to.has_setting(SettingKey::Store)
    {
        settings.set(SettingKey::Store, true);
    }
    if to.metadata_needs_store
        && has_metadata
        && settings.get(SettingKey::Store) != Some(&Value::Bool(true))
    {
        settings.remove(SettingKey::Metadata);
        let reason = "only requests that are stored have metadata";
        losses.add(LossClass::Cosmetic, "parameter", "metadata", reason);
    }
    settings.scalars.retain(|(key, value)| {
        // All servers give one answer.
        if !own && *key == SettingKey::Count && *value == Value::from(1) {
            return false;
        }
        let reason = if !own && !to.has_setting(*key) {
            "the target has no such setting"
        } else if !own && !key.fits(value) {
            "the value is not of the type of the setting"
        } else if *key == SettingKey::Count && number(value) > to.max_count as f64 {
            "the target does not give so many answers"
        } else if *key == SettingKey::Seed && number(value).abs() > to.max_seed as f64 {
            "the seeds of the target are smaller"
        } else {
            return true;
        };
        if !is_usual(*key, value) {
            losses.add(key.class(), "parameter", key.name(), reason);
        }
        false
    });
}

/// Whether a setting is what targets without it do anyway.
fn is_usual(key: SettingKey, value: &Value) -> bool {
    match key {
        SettingKey::Stream => true,
        SettingKey::Parallel => value.as_bool() == Some(true),
        SettingKey::Store => value.as_bool() == Some(false),
        SettingKey::Count => *value == Value::from(1),
        SettingKey::ServiceTier => matches!(value.as_str(), Some("auto" | "default" | "standard")),
        SettingKey::Summary | SettingKey::Effort => value.as_str() == Some("none"),
        SettingKey::Thinking => value.as_str() == Some("disabled"),
        _ => false,
    }
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Number(digits) => digits.parse().unwrap_or_default(),
        _ => 0.0,
    }
}

/// Leaves out the format of the answer if functions exclude it.
fn lone_functions(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let has_functions = conversation.tools.iter().any(|tool| matches!(tool, Tool::Function(_)));
    if to.lone_functions && has_functions && conversation.settings.output.take().is_some() {
        request::remove_carried(&mut conversation.more);
        let reason = "the target has either functions or structured answers";
        losses.add(LossClass::Contract, "parameter", "output", reason);
    }
}

fn choice(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let settings = &mut conversation.settings;
    if conversation.format != to.format {
        only_offered(settings, &conversation.tools, losses);
    }
    let only_allowed = matches!(to.choices, ChoiceKinds::Simple | ChoiceKinds::Unforced);
    if let Some(ToolChoice::Allowed { required, names }) =
        settings.choice.as_ref().filter(|_| only_allowed)
    {
        let reason = "only the allowed tools are offered";
        losses.add(LossClass::Cosmetic, "parameter", "allowed_tools", reason);
        let allowed: BTreeSet<&str> = gathered(names.iter().map(|name| &**name));
        let is_left = |tool: &Tool| matches!(tool, Tool::Function(Function { name, .. }) if !allowed.contains(&**name));
        conversation.tools.retain(|tool| !is_left(tool));
        settings.choice = Some(if *required { ToolChoice::Required } else { ToolChoice::Auto });
    }
    match (&settings.choice, to.choices) {
        (None, _) | (_, ChoiceKinds::Allowed | ChoiceKinds::Simple) => {}
        (Some(choice), ChoiceKinds::OfFunctions) => {
            let has_functions =
                conversation.tools.iter().any(|tool| matches!(tool, Tool::Function(_)));
            if !has_functions && *choice != ToolChoice::Auto {
                let reason = "only functions can be chosen, and there is none";
                losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
            }
            if !has_functions {
                settings.choice = None;
            }
        }
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

/// Leaves out the choice of tools that are not offered.
fn only_offered(settings: &mut Settings, tools: &[Tool], losses: &mut Losses) {
    let reason = "no tool of this name is offered";
    let mut lose = || losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
    let mut offered = BTreeSet::new();
    add_names(tools, &mut offered);
    match &mut settings.choice {
        Some(ToolChoice::Named(name)) if !offered.contains(&**name) => {
            lose();
            settings.choice = None;
        }
        Some(ToolChoice::Allowed { names, .. }) => {
            let length = names.len();
            names.retain(|name| offered.contains(&**name));
            if names.len() < length {
                lose();
            }
            // None of the tools that are offered is allowed.
            if names.is_empty() {
                settings.choice = Some(ToolChoice::None);
            }
        }
        _ => {}
    }
}

/// Adds the names of functions and custom tools.
fn add_names<'a>(tools: &'a [Tool], names: &mut BTreeSet<&'a str>) {
    for tool in tools {
        match tool {
            Tool::Function(Function { name, .. }) | Tool::Custom { name, .. } => {
                names.insert(name);
            }
            Tool::Namespace { tools, .. } => add_names(tools, names),
            Tool::Hosted { .. } => {}
        }
    }
}

fn output(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let Some(output) = &mut settings.output else { return };
    let reason = match (to.output, &output.schema) {
        (OutputKinds::Object, Some(_)) => {
            output.schema = None;
            let reason = "the target has no JSON Schema for structured answers: it answers with any JSON object";
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
        let tier = settings.remove(SettingKey::ServiceTier);
        if tier.is_some_and(|tier| is_usual(SettingKey::ServiceTier, &tier)) {
            return;
        }
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

/// Leaves out texts that do not end an answer of the target.
fn stops(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let Some(given) = settings.get(SettingKey::Stop) else { return };
    let given = into_list(given.clone());
    let mut kept = Vec::with_capacity(given.len());
    for text in given {
        let is_blank = text.as_str().is_none_or(|text| text.trim().is_empty());
        if kept.len() < to.max_stops && (to.blank_stops || !is_blank) {
            kept.push(text);
        } else {
            let reason = "the target does not end its answer at this text";
            losses.add(LossClass::Contract, "parameter", "stop", reason);
        }
    }
    match kept.len() {
        0 => drop(settings.remove(SettingKey::Stop)),
        // A single text stays one.
        1 if matches!(settings.get(SettingKey::Stop), Some(Value::String(_))) => {}
        _ => settings.set(SettingKey::Stop, Value::Array(kept)),
    }
}

/// Limits the number of output tokens to that of the model, and sends one if the target requires
/// it. The tokens for reasoning are within it.
fn maximum(settings: &mut Settings, to: &Requirements, own: bool, losses: &mut Losses) {
    let mut lose = |class, reason| losses.add(class, "parameter", "max_tokens", reason);
    match (settings.number(SettingKey::MaxTokens), to.max_output, to.default_output) {
        (None, _, Some(default)) => {
            settings.set(SettingKey::MaxTokens, default);
            lose(LossClass::Cosmetic, "the target requires a maximum: that of the model is sent");
        }
        (Some(given), ..) if !own && given < to.min_output as f64 => {
            settings.set(SettingKey::MaxTokens, to.min_output);
            lose(LossClass::Cosmetic, "the least maximum of the target is higher");
        }
        (Some(given), Some(highest), _) if given > highest as f64 => {
            settings.set(SettingKey::MaxTokens, highest);
            lose(LossClass::Quality, "the highest maximum of the target is lower");
        }
        _ => {}
    }
    let (budget, most) =
        (settings.number(SettingKey::Budget), settings.number(SettingKey::MaxTokens));
    let (Some(budget), Some(most)) = (budget, most) else { return };
    if !to.thinking.within_maximum || budget < most {
        return;
    }
    let raised = to.max_output.map_or(budget + most, |highest| (budget + most).min(highest as f64));
    if raised > most {
        settings.set(SettingKey::MaxTokens, raised as i64);
        let reason =
            "the maximum of the target includes the tokens for reasoning: it was raised by them";
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
        let default =
            if matches!(key, SettingKey::Temperature | SettingKey::TopP) { 1.0 } else { 0.0 };
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
