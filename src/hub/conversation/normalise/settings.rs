//! The settings of the answer, as far as the target has them.

use alloc::string::String;

use crate::hub::conversation::requirements::{ChoiceKinds, OutputKinds, Requirements};
use crate::hub::conversation::{Conversation, Function, Role, SettingKey, Settings, Tool, ToolChoice, Turn};
use crate::hub::loss::{LossClass, Losses};
use crate::json::Value;

/// The efforts of reasoning, from the lowest, each with the tokens for reasoning that it corresponds to.
const EFFORTS: [(&str, i64); 7] = [
    ("none", 0),
    ("minimal", 1_024),
    ("low", 2_048),
    ("medium", 8_192),
    ("high", 16_384),
    ("xhigh", 24_576),
    ("max", 32_768),
];

/// Checks the settings after the tools: the choice of a tool is nothing without tools.
pub(super) fn check(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if !to.conversation_id && conversation.id.take().is_some() {
        let reason = "each request has the whole conversation";
        losses.add(LossClass::Cosmetic, "conversation", "", reason);
    }
    if conversation.tools.is_empty() {
        conversation.settings.choice = None;
        to.with_tools.iter().for_each(|key| drop(conversation.settings.remove(*key)));
    }
    choice(conversation, to, losses);
    let own = conversation.format == to.format;
    let settings = &mut conversation.settings;
    output(settings, to, losses);
    tier(settings, to, losses);
    temperature(settings, to, losses);
    thinking(settings, to, losses);
    let has_metadata = settings.get(SettingKey::Metadata).is_some() && !own;
    // Responses are stored by default.
    if has_metadata
        && conversation.format == "responses"
        && settings.get(SettingKey::Store).is_none()
        && to.has_setting(SettingKey::Store)
    {
        settings.set(SettingKey::Store, true);
    }
    if to.metadata_needs_store && has_metadata && settings.get(SettingKey::Store) != Some(&Value::Bool(true))
    {
        settings.remove(SettingKey::Metadata);
        let reason = "only requests that are stored have metadata";
        losses.add(LossClass::Cosmetic, "parameter", "metadata", reason);
    }
    settings.scalars.retain(|(key, value)| {
        let reason = if !to.has_setting(*key) {
            "the target has no such setting"
        } else if !own && !key.fits(value) {
            "the value is not of the type of the setting"
        } else if *key == SettingKey::Count && count(value) > to.max_count {
            "the target does not give so many answers"
        } else {
            return true;
        };
        if !matches!(key, SettingKey::Stream) {
            losses.add(key.class(), "parameter", key.name(), reason);
        }
        false
    });
}

fn count(value: &Value) -> i64 {
    match value {
        Value::Number(digits) => digits.parse().unwrap_or_default(),
        _ => 0,
    }
}

fn choice(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let settings = &mut conversation.settings;
    match (&settings.choice, to.choices) {
        (None, _) | (_, ChoiceKinds::Allowed) => {}
        (Some(ToolChoice::Auto), ChoiceKinds::None) => settings.choice = None,
        (Some(_), ChoiceKinds::None) => {
            settings.choice = None;
            let reason = "the target has no choice of tools";
            losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
        }
        (Some(ToolChoice::Allowed { required, names }), ChoiceKinds::Simple) => {
            let reason = "only the allowed tools are offered";
            losses.add(LossClass::Cosmetic, "parameter", "allowed_tools", reason);
            conversation.tools.retain(
                |tool| !matches!(tool, Tool::Function(Function { name, .. }) if !names.contains(name)),
            );
            settings.choice = Some(if *required { ToolChoice::Required } else { ToolChoice::Auto });
        }
        (Some(_), ChoiceKinds::Simple) => {}
    }
}

fn output(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let Some(output) = &settings.output else { return };
    let reason = match (to.output, &output.schema) {
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

/// Expresses the effort or the tokens of reasoning in the way that the target has.
fn thinking(settings: &mut Settings, to: &Requirements, losses: &mut Losses) {
    let rules = to.thinking;
    if rules.levels.is_empty() && rules.min_budget.is_none() {
        return;
    }
    if settings.text(SettingKey::Effort) == Some("none")
        && !rules.levels.contains(&"none")
        && to.has_setting(SettingKey::Thinking)
    {
        settings.remove(SettingKey::Effort);
        settings.set(SettingKey::Thinking, "disabled");
    }
    // An effort of another scale becomes the nearest one that is not lower.
    if let Some(given) = settings.text(SettingKey::Effort).map(String::from)
        && !rules.levels.is_empty()
        && !rules.levels.contains(&&*given)
    {
        match nearest(&given, rules.levels) {
            Some(level) => settings.set(SettingKey::Effort, level),
            None => {
                settings.remove(SettingKey::Effort);
                let reason = "the target has no such effort";
                losses.add(LossClass::Quality, "parameter", "reasoning_effort", reason);
            }
        }
    }
    match (rules.min_budget, settings.number(SettingKey::Budget)) {
        // A number of tokens becomes an effort.
        (None, Some(budget)) => {
            settings.remove(SettingKey::Budget);
            let level = EFFORTS.iter().find(|(_, tokens)| budget <= *tokens as f64);
            let level = level.map_or("max", |(level, _)| *level);
            if settings.get(SettingKey::Effort).is_none()
                && let Some(level) = nearest(level, rules.levels)
            {
                settings.set(SettingKey::Effort, level);
            }
            let reason = "a number of tokens becomes an effort";
            losses.add(LossClass::Cosmetic, "parameter", "thinking_budget", reason);
        }
        // An effort becomes a number of tokens.
        (Some(least), None) if rules.levels.is_empty() => {
            let effort = settings.remove(SettingKey::Effort);
            let effort = effort.as_ref().and_then(Value::as_str);
            let known = EFFORTS.iter().find(|(level, _)| Some(*level) == effort);
            if let Some((_, tokens)) = known {
                settings.set(SettingKey::Budget, (*tokens).max(least));
                settings.set(SettingKey::Thinking, "enabled");
            }
        }
        _ => {}
    }
    let (budget, most) = (settings.number(SettingKey::Budget), settings.number(SettingKey::MaxTokens));
    if let (Some(least), Some(budget)) = (rules.min_budget, budget) {
        let fitting = budget.max(least as f64);
        if fitting > budget && budget > 0.0 {
            settings.set(SettingKey::Budget, least);
        }
        if let Some(most) = most.filter(|most| rules.within_maximum && fitting >= *most) {
            settings.set(SettingKey::MaxTokens, (fitting + most) as i64);
            let reason = "the maximum of the target includes the tokens for reasoning: it was raised by them";
            losses.add(LossClass::Cosmetic, "parameter", "max_tokens", reason);
        }
    }
    if rules.exclusive && is_thinking(settings) {
        if settings.remove(SettingKey::Temperature).is_some() {
            let reason = "the target has no temperature while it reasons";
            losses.add(LossClass::Quality, "parameter", "temperature", reason);
        }
        if matches!(settings.choice, Some(ToolChoice::Required | ToolChoice::Named(_))) {
            settings.choice = Some(ToolChoice::Auto);
            let reason = "the target cannot be forced to call a tool while it reasons";
            losses.add(LossClass::Contract, "parameter", "tool_choice", reason);
        }
    }
}

/// Returns the lowest level of a target that is not below an effort, or its highest.
fn nearest(effort: &str, levels: &[&'static str]) -> Option<&'static str> {
    let rank = |level: &str| EFFORTS.iter().position(|(known, _)| *known == level);
    let wanted = rank(effort)?;
    let not_below = levels.iter().find(|level| rank(level) >= Some(wanted));
    not_below.or(levels.last()).copied()
}

/// Whether reasoning with a number of tokens is on.
fn is_thinking(settings: &Settings) -> bool {
    settings.text(SettingKey::Thinking) == Some("enabled")
}

/// Turns thinking off in a request whose current tool loop has lost its reasoning, if the target refuses that.
pub(super) fn check_thinking(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if !to.thinking.needs_state || !is_thinking(&conversation.settings) {
        return;
    }
    let current = conversation.turns.iter().rev().take_while(|turn| turn.role == Role::Assistant);
    if current.into_iter().any(lacks_state) {
        let reason = "off, because the current tool loop has lost its reasoning";
        losses.add(LossClass::Quality, "parameter", "thinking", reason);
        conversation.settings.remove(SettingKey::Budget);
        conversation.settings.set(SettingKey::Thinking, "disabled");
    }
}

/// Whether an answer with calls does not begin with its reasoning.
fn lacks_state(turn: &Turn) -> bool {
    let first = turn.parts.first();
    let is_state = first.is_some_and(|part| part.as_call().is_none() && part.opaque.is_some());
    turn.calls().next().is_some() && !is_state
}
