//! How a model is told to think: by a switch, an effort or a number of tokens.

use alloc::string::String;

use crate::hub::conversation::TurnRole;
use crate::hub::conversation::requirements::{Requirements, Thinking, ToolEffort};
use crate::hub::conversation::{Content, Conversation, RunBy, SettingKey, Settings, Tool, Turn};
use crate::hub::loss::{LossClass, Losses};

/// The efforts of reasoning, from the lowest, each with the tokens for reasoning that it
/// corresponds to.
const EFFORTS: [(&str, i64); 7] = [
    ("none", 0),
    ("minimal", 1_024),
    ("low", 2_048),
    ("medium", 8_192),
    ("high", 16_384),
    ("xhigh", 24_576),
    ("max", 32_768),
];

/// The values of the switch.
const ENABLED: &str = "enabled";
const ADAPTIVE: &str = "adaptive";
const DISABLED: &str = "disabled";
/// The model does not think before its answer, only between its calls.
const BETWEEN_TOOLS: &str = "between_tools";

/// Whether the model thinks because the request says so.
pub(super) fn is_on(settings: &Settings) -> bool {
    matches!(settings.text(SettingKey::Thinking), Some(ENABLED | ADAPTIVE))
}

/// Expresses how the model is told to think in the way that the target has.
pub(super) fn express(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let is_own = conversation.format == to.format;
    let settings = &mut conversation.settings;
    let rules = to.thinking;
    if !rules.levels.is_empty() || rules.min_budget.is_some() || !rules.modes.is_empty() {
        if is_off(settings) {
            turn_off(settings, rules, losses);
        } else {
            if !is_own {
                effort(settings, rules, losses);
                decided_by_model(settings);
            }
            budget(settings, rules, is_own, losses);
            if !is_own {
                turn_on(settings, rules, losses);
            }
            switch(settings, rules, losses);
        }
    }
    let is_switched = !matches!(settings.text(SettingKey::Thinking), None | Some(DISABLED));
    if !rules.modes.is_empty() && !is_switched && settings.remove(SettingKey::Summary).is_some() {
        let reason = "the target shows its reasoning only if the request turns it on";
        losses.add(LossClass::Cosmetic, "parameter", "reasoning_summary", reason);
    }
    let has_functions = conversation.tools.iter().any(|tool| matches!(tool, Tool::Function(_)));
    if has_functions {
        with_functions(&mut conversation.settings, rules.with_functions, losses);
    }
}

fn is_off(settings: &Settings) -> bool {
    settings.text(SettingKey::Effort) == Some("none")
        || matches!(settings.text(SettingKey::Thinking), Some(DISABLED | BETWEEN_TOOLS))
        || settings.number(SettingKey::Budget) == Some(0.0)
}

fn turn_off(settings: &mut Settings, rules: Thinking, losses: &mut Losses) {
    let is_off =
        |mode: &&str| matches!(*mode, DISABLED | BETWEEN_TOOLS) && rules.modes.contains(mode);
    let given = settings.text(SettingKey::Thinking).filter(is_off);
    let mode = [DISABLED, BETWEEN_TOOLS].into_iter().find(|mode| rules.modes.contains(mode));
    let (mut effort, mut budget) = (None, None);
    match (given, mode) {
        (Some(_), _) => {}
        (None, Some(mode)) => settings.set(SettingKey::Thinking, mode),
        (None, None) => {
            // A model that always thinks decides itself how much.
            if rules.modes.contains(&ADAPTIVE) {
                settings.set(SettingKey::Thinking, ADAPTIVE);
            } else {
                settings.remove(SettingKey::Thinking);
            }
            let has_none = rules.levels.contains(&"none");
            let is_off = has_none || rules.min_budget.is_some_and(|least| least <= 0);
            effort = rules.levels.first().filter(|_| has_none || !is_off);
            budget = rules.min_budget.filter(|_| effort.is_none());
            if effort.is_none() {
                settings.remove(SettingKey::Effort);
            }
            if !is_off {
                let reason = "the reasoning of the target cannot be turned off";
                losses.add(LossClass::Quality, "parameter", "thinking", reason);
            }
        }
    }
    match effort {
        Some(level) => settings.set(SettingKey::Effort, *level),
        None if settings.text(SettingKey::Effort) == Some("none") => {
            settings.remove(SettingKey::Effort);
        }
        None => {}
    }
    match budget {
        Some(least) => settings.set(SettingKey::Budget, least),
        None => {
            settings.remove(SettingKey::Budget);
        }
    }
}

/// An effort of another scale becomes the nearest one that is not lower.
fn effort(settings: &mut Settings, rules: Thinking, losses: &mut Losses) {
    let Some(given) = settings.text(SettingKey::Effort).map(String::from) else { return };
    if rules.levels.is_empty() {
        // It becomes a number of tokens, or only turns reasoning on.
        let tokens = EFFORTS.iter().find(|(level, _)| *level == given).map(|(_, tokens)| *tokens);
        settings.remove(SettingKey::Effort);
        match (rules.min_budget, tokens) {
            (Some(least), Some(tokens)) if settings.get(SettingKey::Budget).is_none() => {
                settings.set(SettingKey::Budget, tokens.max(least));
            }
            (Some(_), Some(_)) => {}
            _ if rules.modes.contains(&ENABLED) => {
                let reason = "the target reasons or does not: it has no effort";
                losses.add(LossClass::Cosmetic, "parameter", "reasoning_effort", reason);
            }
            _ => {
                let reason = "the target has no such effort";
                losses.add(LossClass::Quality, "parameter", "reasoning_effort", reason);
            }
        }
        if rules.modes.contains(&ENABLED) && settings.get(SettingKey::Thinking).is_none() {
            settings.set(SettingKey::Thinking, ENABLED);
        }
    } else if !rules.levels.contains(&&*given) {
        match nearest(&given, rules.levels) {
            Some(level) => settings.set(SettingKey::Effort, level),
            None => {
                settings.remove(SettingKey::Effort);
                let reason = "the target has no such effort";
                losses.add(LossClass::Quality, "parameter", "reasoning_effort", reason);
            }
        }
    }
}

/// Returns the lowest level of a target that is not below an effort, or its highest.
fn nearest(effort: &str, levels: &[&'static str]) -> Option<&'static str> {
    let rank = |level: &str| EFFORTS.iter().position(|(known, _)| *known == level);
    let wanted = rank(effort)?;
    let not_below = levels.iter().find(|level| **level != "none" && rank(level) >= Some(wanted));
    not_below.or(levels.last()).copied()
}

/// A negative number of tokens is as many as the model thinks fit.
fn decided_by_model(settings: &mut Settings) {
    if settings.number(SettingKey::Budget).is_some_and(|budget| budget < 0.0) {
        settings.remove(SettingKey::Budget);
        if settings.get(SettingKey::Thinking).is_none() {
            settings.set(SettingKey::Thinking, ADAPTIVE);
        }
    }
}

/// A number of tokens is at least that of the target, or becomes an effort.
fn budget(settings: &mut Settings, rules: Thinking, is_own: bool, losses: &mut Losses) {
    let Some(budget) = settings.number(SettingKey::Budget) else { return };
    if let Some(least) = rules.min_budget {
        if budget > 0.0 && budget < least as f64 {
            settings.set(SettingKey::Budget, least);
        } else if let Some(highest) =
            rules.max_budget.filter(|most| !is_own && budget > *most as f64)
        {
            settings.set(SettingKey::Budget, highest);
            let reason = "the highest number of tokens of the target is lower";
            losses.add(LossClass::Cosmetic, "parameter", "thinking_budget", reason);
        }
        return;
    }
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

/// An effort, or a number of tokens, of a request of another protocol turns thinking on where it is
/// not on by default.
fn turn_on(settings: &mut Settings, rules: Thinking, losses: &mut Losses) {
    let budget = settings.number(SettingKey::Budget);
    let effort = settings.text(SettingKey::Effort);
    if budget.is_some() && effort.is_some() && rules.modes.is_empty() {
        settings.remove(SettingKey::Effort);
        let reason = "the target has either an effort or a number of tokens";
        return losses.add(LossClass::Cosmetic, "parameter", "reasoning_effort", reason);
    }
    if settings.get(SettingKey::Thinking).is_some() {
        return;
    }
    if budget.is_some() && rules.modes.contains(&ENABLED) {
        settings.set(SettingKey::Thinking, ENABLED);
    } else if effort.is_some() && rules.modes.contains(&ADAPTIVE) {
        settings.set(SettingKey::Thinking, ADAPTIVE);
    } else if let Some(effort) = effort
        && rules.modes.contains(&ENABLED)
        && let Some(least) = rules.min_budget
    {
        let tokens =
            EFFORTS.iter().find(|(level, _)| *level == effort).map_or(least, |(_, tokens)| *tokens);
        settings.set(SettingKey::Budget, tokens.max(least));
        settings.set(SettingKey::Thinking, ENABLED);
    }
}

/// Sets the switch to a value that the target has.
fn switch(settings: &mut Settings, rules: Thinking, losses: &mut Losses) {
    let Some(mode) = settings.text(SettingKey::Thinking).map(String::from) else { return };
    let is_told = settings.get(SettingKey::Effort).or(settings.get(SettingKey::Budget)).is_some();
    if !rules.modes.contains(&&*mode) {
        let other = if mode == ENABLED { ADAPTIVE } else { ENABLED };
        if rules.modes.contains(&other) {
            settings.set(SettingKey::Thinking, other);
        } else {
            settings.remove(SettingKey::Thinking);
            if !is_told && !rules.modes.contains(&ADAPTIVE) {
                let reason = "whether the target reasons is as it does by default";
                losses.add(LossClass::Cosmetic, "parameter", "thinking", reason);
            }
        }
    }
    if settings.text(SettingKey::Thinking) == Some(ENABLED)
        && settings.get(SettingKey::Budget).is_none()
        && let Some(least) = rules.min_budget
    {
        // The number of tokens for the effort that is the default where models decide themselves.
        let (_, tokens) = EFFORTS[4];
        settings.set(SettingKey::Budget, tokens.max(least));
    }
}

fn with_functions(settings: &mut Settings, rule: ToolEffort, losses: &mut Losses) {
    let is_none = settings.text(SettingKey::Effort) == Some("none");
    let is_given = settings.get(SettingKey::Effort).is_some();
    let is_set = match rule {
        ToolEffort::Any => false,
        ToolEffort::NoneIfGiven => is_given && !is_none,
        ToolEffort::None => !is_none,
    };
    if is_set {
        settings.set(SettingKey::Effort, "none");
        let reason = "the model does not reason in requests of this protocol that have functions";
        losses.add(LossClass::Quality, "parameter", "reasoning_effort", reason);
    }
}

/// Turns thinking off in a request whose current tool loop has lost its reasoning, if the target
/// refuses that.
pub(super) fn check_state(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    let is_enabled = conversation.settings.text(SettingKey::Thinking) == Some(ENABLED);
    if !to.thinking.needs_state
        || !is_enabled
        || !current_loop(&conversation.turns).any(lacks_state)
    {
        return;
    }
    let reason = "off, because the current tool loop has lost its reasoning";
    losses.add(LossClass::Quality, "parameter", "thinking", reason);
    conversation.settings.remove(SettingKey::Budget);
    conversation.settings.remove(SettingKey::Summary);
    conversation.settings.set(SettingKey::Thinking, DISABLED);
}

/// Iterates over the answers since the last message of the user that is not with results of tools.
fn current_loop(turns: &[Turn]) -> impl Iterator<Item = &Turn> {
    let has_results = |turn: &Turn| {
        turn.role == TurnRole::Assistant
            && turn.calls().any(|call| call.by != RunBy::Provider && call.result.is_some())
    };
    let before = |at: usize| at.checked_sub(1).and_then(|before| turns.get(before));
    let start = turns.iter().enumerate().rposition(|(at, turn)| {
        turn.role == TurnRole::User && !before(at).is_some_and(has_results)
    });
    turns
        .iter()
        .skip(start.map_or(0, |start| start + 1))
        .filter(|turn| turn.role == TurnRole::Assistant)
}

/// Whether an answer with calls does not begin with its reasoning.
fn lacks_state(turn: &Turn) -> bool {
    let is_state = turn.parts.first().is_some_and(|first| {
        matches!(first.content, Content::Reasoning { .. } | Content::Native)
            && first.opaque.is_some()
    });
    turn.calls().any(|call| call.by != RunBy::Provider) && !is_state
}
