//! Questions about calls, and the answers of the user, for models: the answer of the user becomes
//! the result of a call without a result.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use core::mem::take;

use crate::hub::conversation::members::gathered;
use crate::hub::conversation::{Content, Conversation, Part, ToolResult, Turn, TurnRole};

/// The turn of a call, and its number in it.
type CallNumber = (usize, usize);

/// Moves answers about calls into the results of these calls.
pub(super) fn into_results(conversation: &mut Conversation) {
    let parts = || conversation.turns.iter().flat_map(|turn| &turn.parts);
    if !parts().any(|part| matches!(part.content, Content::Answer { .. })) {
        return;
    }
    let answered = parts().filter_map(|part| match &part.content {
        Content::Result(result) => Some(&*result.call),
        _ => None,
    });
    let answered: BTreeSet<String> = gathered(answered.map(String::from));
    let of_question = questions(&conversation.turns);
    let mut results = BTreeMap::new();
    for turn in &mut conversation.turns {
        for part in &mut turn.parts {
            let Content::Answer { id, approved, reason, payload } = &mut part.content else {
                continue;
            };
            let Some(place) = of_question.get(id) else { continue };
            let payload = take(payload);
            let text = match (*approved, take(reason)) {
                (Some(true), _) => "Approved by the user.".into(),
                (_, Some(reason)) => ["Denied by the user: ", &reason].concat(),
                (Some(false), None) => "Denied by the user.".into(),
                (None, None) if payload.is_null() => "Not approved by the user.".into(),
                (None, None) => payload.to_json(),
            };
            results.insert(*place, (text, *approved == Some(true)));
        }
    }
    for ((turn, part), (text, approved)) in results {
        let part = conversation.turns.get_mut(turn).and_then(|turn| turn.parts.get_mut(part));
        if let Some(call) = part.and_then(Part::as_call_mut)
            && call.result.is_none()
            && !answered.contains(&call.id)
        {
            let mut result = ToolResult::new(call.id.clone(), [Part::text(text)].into());
            result.error = !approved;
            call.result = Some(result);
        }
    }
    for turn in &mut conversation.turns {
        turn.parts.retain(|part| match &part.content {
            Content::Question { id, .. } | Content::Answer { id, .. } => {
                !of_question.contains_key(id)
            }
            _ => true,
        });
    }
    // A turn of the user that had nothing but answers is gone.
    conversation.turns.retain(|turn| !turn.parts.is_empty() || turn.role != TurnRole::User);
}

/// Returns the call of each question: the last one of its id before the question. An answer can
/// also name its call.
fn questions(turns: &[Turn]) -> BTreeMap<String, CallNumber> {
    let mut calls: BTreeMap<&str, CallNumber> = BTreeMap::new();
    let mut questions = BTreeMap::new();
    for (at, turn) in turns.iter().enumerate() {
        for (number, part) in turn.parts.iter().enumerate() {
            let (question, call) = match &part.content {
                Content::Call(call) => {
                    calls.insert(&call.id, (at, number));
                    continue;
                }
                Content::Question { id, call: Some(call), .. } => (id, call),
                Content::Answer { id, .. } if !questions.contains_key(id) => (id, id),
                _ => continue,
            };
            if let Some(place) = calls.get(&**call) {
                questions.insert(question.clone(), *place);
            }
        }
    }
    questions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::conversation::Call;
    use crate::json::Value;

    fn answer(id: &str, approved: Option<bool>, reason: Option<&str>) -> Part {
        let reason = reason.map(String::from);
        Part::new(Content::Answer { id: id.into(), approved, reason, payload: Value::Null })
    }

    fn question(id: &str, call: &str) -> Part {
        Part::new(Content::Question {
            id: id.into(),
            call: Some(call.into()),
            payload: Value::Null,
        })
    }

    #[test]
    fn an_answer_is_the_result_of_a_call_that_has_none() {
        for (approved, reason, text, error) in [
            (Some(true), None, "Approved by the user.", false),
            (Some(false), Some("too late"), "Denied by the user: too late", true),
            (Some(false), None, "Denied by the user.", true),
            (None, None, "Not approved by the user.", true),
        ] {
            let calls =
                [Part::new(Content::Call(Call::function("c", "f", "{}"))), question("q", "c")];
            let mut conversation = Conversation::new("ai-sdk");
            conversation.turns.push(Turn::new(TurnRole::Assistant, calls.into()));
            conversation
                .turns
                .push(Turn::new(TurnRole::User, [answer("q", approved, reason)].into()));
            into_results(&mut conversation);
            let [turn] = &conversation.turns[..] else { panic!("{:?}", conversation.turns) };
            let [call] = &turn.parts[..] else { panic!("{:?}", turn.parts) };
            let result = call.as_call().and_then(|call| call.result.as_ref()).expect("a result");
            assert_eq!((&result.parts[..], result.error), (&[Part::text(text)][..], error));
        }
    }

    #[test]
    fn the_result_of_a_tool_and_answers_to_other_questions_stay() {
        let mut call = Call::function("c", "f", "{}");
        call.result = Some(ToolResult::new("c", [Part::text("18")].into()));
        let mut conversation = Conversation::new("ai-sdk");
        conversation.turns.push(Turn::new(
            TurnRole::Assistant,
            [Part::new(Content::Call(call)), question("q", "c")].into(),
        ));
        let answers = [answer("q", Some(true), None), answer("other", Some(true), None)];
        conversation.turns.push(Turn::new(TurnRole::User, answers.into()));
        into_results(&mut conversation);
        let result = conversation.turns[0].calls().next().and_then(|call| call.result.as_ref());
        assert_eq!(result.map(|result| &result.parts[..]), Some(&[Part::text("18")][..]));
        assert_eq!(conversation.turns[1].parts, [answer("other", Some(true), None)]);
    }
}
