//! The parts of a run that begin and end by name: steps and subagents. (B.6.)

use alloc::string::String;

use super::{Allowed, Lifecycle, Said, refused};
use crate::protocols::ag_ui::rules;

impl Lifecycle {
    /// Checks whether a step may start (row 8).
    pub fn may_start_step(&self, step: &str, it: Said<'_>) -> Allowed {
        if !self.open.steps.is_open(it.lane, step) {
            return Ok(());
        }
        let (before, lane, after) = it.lane.map_or(("", "", ""), |lane| (" in subagent '", lane, "'"));
        refused(
            &rules::STEP_STARTED_TWICE,
            "Step \"{}\" is already active for 'STEP_STARTED'{}{}{}",
            &[step, before, lane, after],
        )
    }

    /// Checks whether a step may finish (rows 9 and 10).
    pub fn may_finish_step(&self, step: &str, it: Said<'_>) -> Allowed {
        if self.open.steps.is_open(it.lane, step) {
            return Ok(());
        }
        let lane = |lane: Option<&str>| match lane {
            Some(lane) => ["subagent '", lane, "'"].concat(),
            None => String::from("the parent agent"),
        };
        match self.open.steps.elsewhere(step) {
            Some(other) => refused(
                &rules::STEP_NOT_STARTED,
                "Cannot send 'STEP_FINISHED' for step \"{}\" attributed to {}: that step is open under {}. A step must be finished by whoever started it.",
                &[step, &lane(it.lane), &lane(other.as_deref())],
            ),
            None => refused(
                &rules::STEP_NOT_STARTED,
                "Cannot send 'STEP_FINISHED' for step \"{}\" that was not started",
                &[step],
            ),
        }
    }

    /// Checks whether a subagent may start (row 15).
    pub fn may_start_subagent(&self, id: &str, parent: Option<&str>) -> Allowed {
        if self.open.subagents.is_known(id) {
            let why = match self.open.subagents.is_open(id) {
                true => "' is already active. Finish it with 'SUBAGENT_FINISHED' first.",
                false => {
                    "' has already finished in this run. Subagent IDs are per-invocation and cannot be reused."
                }
            };
            return refused(
                &rules::SUBAGENT_STARTED_TWICE,
                "Cannot send 'SUBAGENT_STARTED': subagent '{}{}",
                &[id, why],
            );
        }
        match parent.filter(|parent| !self.open.subagents.is_known(parent)) {
            None => Ok(()),
            Some(parent) => refused(
                &rules::SUBAGENT_NOT_STARTED,
                "Cannot send 'SUBAGENT_STARTED': parentSubagentRunId '{}' has not been started in this run.",
                &[parent],
            ),
        }
    }

    /// Checks whether a subagent may end (row 15).
    pub fn may_end_subagent(&self, id: &str, name: &str) -> Allowed {
        if self.open.subagents.is_open(id) {
            return Ok(());
        }
        refused(
            &rules::SUBAGENT_NOT_STARTED,
            "Cannot send '{}': no active subagent found with ID '{}'. A 'SUBAGENT_STARTED' event must be sent first.",
            &[name, id],
        )
    }
}
