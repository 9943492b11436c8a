//! The conditions of the lifecycle, with the messages of the official client. (B.6.)

use alloc::string::String;

use super::{EventHead, Lifecycle, Owned, Phase, StreamKind, subagent_name};
use crate::bytes::put;
use crate::core::Rule;
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::rules;

/// A violated rule, with the message of the official client.
#[derive(Clone, Debug)]
pub(in crate::protocols::ag_ui) struct LifecycleViolation {
    pub rule: &'static Rule,
    pub message: String,
}

/// Returns a violation as an error, with a message from [`filled`].
#[cold]
#[inline(never)]
fn reject(rule: &'static Rule, sentence: &str, values: &[&str]) -> Result<(), LifecycleViolation> {
    Err(LifecycleViolation { rule, message: filled(sentence, values) })
}

/// Returns a sentence with its `{}` replaced by values.
pub(in crate::protocols::ag_ui) fn filled(sentence: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut parts = sentence.split('{');
    let mut message = String::from(parts.next().unwrap_or_default());
    for part in parts {
        put(&mut message, values.next().copied().unwrap_or_default());
        put(&mut message, part.strip_prefix('}').unwrap_or(part));
    }
    message
}

impl Lifecycle {
    /// Checks whether an event is legal in the phase (rows 1 to 4).
    pub fn check_phase(&self, kind: EventKind) -> Result<(), LifecycleViolation> {
        let starts = kind == EventKind::RunStarted;
        let fails = kind == EventKind::RunError;
        match self.phase {
            Phase::Failed if !starts => reject(
                &rules::AFTER_ERROR,
                "Cannot send event type '{}': The run has already errored with 'RUN_ERROR'. No further events can be sent.",
                &[kind.name()],
            ),
            Phase::Finished if !starts && !fails => reject(
                &rules::AFTER_FINISHED,
                "Cannot send event type '{}': The run has already finished with 'RUN_FINISHED'. Start a new run with 'RUN_STARTED'.",
                &[kind.name()],
            ),
            Phase::Before if !starts && !fails => {
                reject(&rules::FIRST_EVENT, "First event must be 'RUN_STARTED'", &[])
            }
            Phase::Running | Phase::Fragments if starts => reject(
                &rules::RUN_STARTED_TWICE,
                "Cannot send 'RUN_STARTED' while a run is still active. The previous run must be finished with 'RUN_FINISHED' before starting a new run.",
                &[],
            ),
            _ => Ok(()),
        }
    }

    /// Checks whether a stream is not open, to start it (rows 5, 7, 11).
    pub fn check_start(&self, stream: StreamKind, id: &str) -> Result<(), LifecycleViolation> {
        if !self.open.names(stream).is_open(id) {
            return Ok(());
        }
        reject(
            &rules::STARTED_TWICE,
            "Cannot send '{}' event: A {} with ID '{}' is already in progress. Complete it with '{}' first.",
            &[stream.start().name(), stream.noun(), id, stream.end().name()],
        )
    }

    /// Checks whether a stream is open, to continue or end it (rows 6, 7, 11).
    pub fn check_open(
        &self,
        stream: StreamKind,
        head: &EventHead<'_>,
    ) -> Result<(), LifecycleViolation> {
        let (id, name) = (head.id, head.kind.name());
        if self.open.names(stream).is_open(id) {
            return Ok(());
        }
        let (noun, start) = (stream.noun(), stream.start().name());
        let (sentence, values): (&str, &[&str]) = match head.kind == stream.end()
            && stream != StreamKind::Reasoning
        {
            true => (
                "Cannot send '{}' event: No active {} found with ID '{}'. A '{}' event must be sent first.",
                &[name, noun, id, start],
            ),
            false => (
                "Cannot send '{}' event: No active {} found with ID '{}'. Start a {} with '{}' first.",
                &[name, noun, id, noun, start],
            ),
        };
        reject(&rules::NOT_STARTED, sentence, values)
    }

    /// Checks whether the subagent of an event owns its subject (row 13). An event without a
    /// subagent always agrees.
    pub fn check_owner(
        &self,
        owned: Owned,
        head: &EventHead<'_>,
    ) -> Result<(), LifecycleViolation> {
        self.check_owner_of(owned.noun(), owned, head)
    }

    pub fn check_owner_of(
        &self,
        noun: &str,
        owned: Owned,
        head: &EventHead<'_>,
    ) -> Result<(), LifecycleViolation> {
        let (Some(subagent), Some(owner)) = (head.subagent, self.open.owner(owned, head.id)) else {
            return Ok(());
        };
        if owner.as_deref() == Some(subagent) {
            return Ok(());
        }
        reject(
            &rules::OWNER_MISMATCH,
            "Cannot send '{}': subagentRunId '{}' does not match the {} '{}' opener's subagent '{}'.",
            &[head.kind.name(), subagent, noun, head.id, subagent_name(owner.as_deref())],
        )
    }

    /// Checks that a call belongs to the message that carries it (row 14).
    pub fn check_parent(&self, head: &EventHead<'_>) -> Result<(), LifecycleViolation> {
        let inherited =
            head.parent.and_then(|parent| Some((parent, self.open.owner(Owned::Message, parent)?)));
        if let (Some(subagent), Some((parent, owner))) = (head.subagent, inherited)
            && owner.as_deref() != Some(subagent)
        {
            return reject(
                &rules::OWNER_MISMATCH,
                "Cannot send 'TOOL_CALL_START': subagentRunId '{}' does not match its parent message '{}' owner '{}'. A tool call belongs to the message that carries it.",
                &[subagent, parent, subagent_name(owner.as_deref())],
            );
        }
        self.check_owner(Owned::Call, head)?;
        match (head.subagent, inherited, self.open.owner(Owned::Call, head.id)) {
            (None, Some((parent, owner)), Some(known)) if owner != known => reject(
                &rules::OWNER_MISMATCH,
                "Cannot send 'TOOL_CALL_START': tool call '{}' is owned by '{}' but its parent message '{}' is owned by '{}'. A tool call belongs to the message that carries it.",
                &[
                    head.id,
                    subagent_name(known.as_deref()),
                    parent,
                    subagent_name(owner.as_deref()),
                ],
            ),
            _ => Ok(()),
        }
    }

    /// Checks that all parts that have to end before the run have ended (row 12). The message names
    /// only the first kind that is open.
    pub fn check_finished(&self) -> Result<(), LifecycleViolation> {
        let names = |stream| self.open.names(stream).all_open();
        let open = [
            ("steps", self.open.steps.all_open()),
            ("text messages", names(StreamKind::Text)),
            ("reasoning messages", names(StreamKind::Reasoning)),
            ("reasoning spans", names(StreamKind::Block)),
            ("tool calls", names(StreamKind::Call)),
            ("subagents", self.open.subagents.all_open()),
        ];
        match open.iter().find(|(_, open)| !open.is_empty()) {
            None => Ok(()),
            Some((what, open)) => reject(
                &rules::FINISHED_EARLY,
                "Cannot send 'RUN_FINISHED' while {} are still active: {}",
                &[what, &open.join(", ")],
            ),
        }
    }

    /// Checks whether a step may start (row 8).
    pub fn check_step_start(&self, head: &EventHead<'_>) -> Result<(), LifecycleViolation> {
        let step = head.id;
        if !self.open.steps.is_open(head.subagent, step) {
            return Ok(());
        }
        let (before, lane, after) =
            head.subagent.map_or(("", "", ""), |lane| (" in subagent '", lane, "'"));
        reject(
            &rules::STEP_STARTED_TWICE,
            "Step \"{}\" is already active for 'STEP_STARTED'{}{}{}",
            &[step, before, lane, after],
        )
    }

    /// Checks whether a step may finish (rows 9 and 10).
    pub fn check_step_finish(&self, head: &EventHead<'_>) -> Result<(), LifecycleViolation> {
        let step = head.id;
        if self.open.steps.is_open(head.subagent, step) {
            return Ok(());
        }
        let lane = |lane: Option<&str>| match lane {
            Some(lane) => ["subagent '", lane, "'"].concat(),
            None => String::from("the parent agent"),
        };
        match self.open.steps.subagent_with_step(step) {
            Some(other) => reject(
                &rules::STEP_NOT_STARTED,
                "Cannot send 'STEP_FINISHED' for step \"{}\" attributed to {}: that step is open under {}. A step must be finished by whoever started it.",
                &[step, &lane(head.subagent), &lane(other.as_deref())],
            ),
            None => reject(
                &rules::STEP_NOT_STARTED,
                "Cannot send 'STEP_FINISHED' for step \"{}\" that was not started",
                &[step],
            ),
        }
    }

    /// Checks whether a subagent may start (row 15).
    pub fn check_subagent_start(&self, head: &EventHead<'_>) -> Result<(), LifecycleViolation> {
        let id = head.id;
        if self.open.subagents.is_known(id) {
            let reason = match self.open.subagents.is_open(id) {
                true => "' is already active. Finish it with 'SUBAGENT_FINISHED' first.",
                false => {
                    "' has already finished in this run. Subagent IDs are per-invocation and cannot be reused."
                }
            };
            return reject(
                &rules::SUBAGENT_STARTED_TWICE,
                "Cannot send 'SUBAGENT_STARTED': subagent '{}{}",
                &[id, reason],
            );
        }
        match head.parent.filter(|parent| !self.open.subagents.is_known(parent)) {
            None => Ok(()),
            Some(parent) => reject(
                &rules::SUBAGENT_NOT_STARTED,
                "Cannot send 'SUBAGENT_STARTED': parentSubagentRunId '{}' has not been started in this run.",
                &[parent],
            ),
        }
    }

    /// Checks whether a subagent may end (row 15).
    pub fn check_subagent_end(&self, head: &EventHead<'_>) -> Result<(), LifecycleViolation> {
        if self.open.subagents.is_open(head.id) {
            return Ok(());
        }
        reject(
            &rules::SUBAGENT_NOT_STARTED,
            "Cannot send '{}': no active subagent found with ID '{}'. A 'SUBAGENT_STARTED' event must be sent first.",
            &[head.kind.name(), head.id],
        )
    }
}
