//! Calls and their results.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::take;

use crate::hub::conversation::{Call, Content, Conversation, Part, RunBy, ToolResult, TurnRole};
use crate::hub::loss::{LossClass, Losses};

/// Where a call is: its turn and part.
type CallPosition = (usize, usize);

/// Moves every result into its call. If the target needs it, a call without a result receives one,
/// and a result without a call becomes text.
pub(super) fn pair(conversation: &mut Conversation, needs_results: bool, losses: &mut Losses) {
    join(conversation, needs_results, losses);
    if !needs_results {
        return;
    }
    let parts = conversation.turns.iter_mut().flat_map(|turn| &mut turn.parts);
    for call in parts.filter_map(Part::as_call_mut) {
        if call.result.is_none() && call.by != RunBy::Provider {
            let reason = "the model is given an error as its result";
            losses.add(LossClass::Quality, "call-without-result", &call.id, reason);
            call.result = Some(missing(&call.id));
        }
    }
}

/// The result of a call that has none.
fn missing(call: &str) -> ToolResult {
    let mut result = ToolResult::new(call, [Part::text("No result.")].into());
    result.error = true;
    result
}

impl Conversation {
    /// Moves every result into its call. A result whose call is not in the conversation stays where
    /// it is.
    pub(crate) fn join_results(&mut self) {
        join(self, false, &mut Losses::default());
    }

    /// Moves the results into their calls if there are any in the turns from this one on.
    pub(crate) fn join_new_results(&mut self, first_new: usize) {
        let mut parts = self.turns.iter().skip(first_new).flat_map(|turn| &turn.parts);
        if parts.any(|part| matches!(part.content, Content::Result(_))) {
            self.join_results();
        }
    }
}

/// Adds a further result of a call to the first one: models take one.
fn further_result(first: &mut ToolResult, further: ToolResult, losses: &mut Losses) {
    let reason = if first.parts == further.parts {
        "it is there already"
    } else {
        first.parts.extend(further.parts);
        first.error |= further.error;
        first.cache = further.cache.or(first.cache.take());
        "it is added to the first result of the call"
    };
    losses.add(LossClass::Cosmetic, "result-further", &first.call, reason);
}

fn join(conversation: &mut Conversation, needs_results: bool, losses: &mut Losses) {
    // The calls that wait for a result, by id, each list with those of the newest turn.
    let mut waiting: BTreeMap<String, VecDeque<CallPosition>> = BTreeMap::new();
    // The newest call of each id that has its result.
    let mut answered: BTreeMap<String, CallPosition> = BTreeMap::new();
    let mut newest_answer = None;
    for turn in 0..conversation.turns.len() {
        let Some(parts) = conversation.turns.get_mut(turn).map(|turn| take(&mut turn.parts)) else {
            break;
        };
        let mut kept = Vec::with_capacity(parts.len());
        for mut part in parts {
            match part.content {
                Content::Call(Call { ref id, result: None, .. }) => {
                    let same = waiting.entry(id.clone()).or_default();
                    if same.front().is_some_and(|(other, _)| *other != turn) {
                        same.clear();
                    }
                    same.push_back((turn, kept.len()));
                    newest_answer = Some(turn);
                }
                Content::Result(result) => {
                    let place = waiting.get_mut(&result.call).and_then(VecDeque::pop_front);
                    let earlier = answered.get(&result.call).copied();
                    let place = place.or(earlier);
                    let of_call = match place {
                        Some((at, part)) if at == turn => kept.get_mut(part),
                        Some((at, part)) => {
                            conversation.turns.get_mut(at).and_then(|turn| turn.parts.get_mut(part))
                        }
                        None => None,
                    };
                    if let Some(place) = place {
                        answered.insert(result.call.clone(), place);
                    }
                    match of_call.and_then(Part::as_call_mut) {
                        Some(Call { result: Some(first), .. }) => {
                            further_result(first, result, losses)
                        }
                        Some(call) => {
                            let is_late = place.is_some_and(|(at, _)| newest_answer > Some(at));
                            if is_late {
                                let reason = "the result is moved to its call";
                                losses.add(LossClass::Cosmetic, "result-moved", &call.id, reason);
                            }
                            let cache = part.cache.take().or(result.cache.clone());
                            call.result = Some(ToolResult { cache, ..result });
                        }
                        None if needs_results => {
                            let reason =
                                "its call is not in the request, so that it is sent as text";
                            losses.add(
                                LossClass::Contract,
                                "result-without-call",
                                &result.call,
                                reason,
                            );
                            kept.extend(
                                result.parts.into_iter().filter(|part| part.as_text() != Some("")),
                            );
                        }
                        None => kept.push(Part { content: Content::Result(result), ..part }),
                    }
                    continue;
                }
                _ => {}
            }
            kept.push(part);
        }
        if let Some(turn) = conversation.turns.get_mut(turn) {
            turn.parts = kept;
        }
    }
    // A turn of the user that had nothing but results is gone.
    conversation.turns.retain(|turn| !turn.parts.is_empty() || turn.role != TurnRole::User);
}
