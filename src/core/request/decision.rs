//! Decisions in requests: whether an answer to a question approves. An answer that contradicts
//! itself declines.

use crate::json::{Error, Member, Value};

/// The members that approve if they are true.
const APPROVE: [&str; 2] = ["approve", "approved"];
/// Members that contradict an approval if they are false.
const ACCEPT: [&str; 7] = ["accept", "accepted", "allow", "allowed", "confirm", "confirmed", "ok"];
/// Members that contradict an approval unless they are false or null.
const DECLINE: [&str; 13] = [
    "reject",
    "rejected",
    "decline",
    "declined",
    "deny",
    "denied",
    "refuse",
    "refused",
    "cancel",
    "canceled",
    "cancelled",
    "abort",
    "aborted",
];
/// Members whose word decides.
const VERDICT: [&str; 2] = ["decision", "verdict"];
/// Members whose word may have another meaning, and contradicts an approval if it declines.
const WORDED: [&str; 8] =
    ["action", "answer", "choice", "outcome", "response", "result", "status", "type"];
/// A list of answers, each of which may decline.
const DECISIONS: &str = "decisions";
/// Words that approve, in any case of letters.
const YES: [&str; 11] = [
    "approve",
    "approved",
    "yes",
    "accept",
    "accepted",
    "allow",
    "allowed",
    "confirm",
    "confirmed",
    "ok",
    "true",
];

/// Returns whether an answer approves or declines; `None` if it does neither, or contradicts
/// itself.
pub(crate) fn decision(answer: &Value) -> Option<bool> {
    match answer {
        Value::Bool(approve) => Some(*approve),
        Value::String(word) => {
            matches!(word.as_str(), "approve" | "approved" | "yes").then_some(true)
        }
        Value::Object(members) => {
            let mut decisions = APPROVE.into_iter().filter_map(|name| answer.get(name));
            let approve = decisions.next().and_then(Value::as_bool);
            let approve = approve.filter(|_| decisions.all(|other| other.as_bool() == approve));
            approve.filter(|approve| !approve || !members.iter().any(contradicts))
        }
        Value::Null | Value::Number(_) | Value::Array(_) => None,
    }
}

/// Whether another member of an approval contradicts it.
fn contradicts(Member { key, value }: &Member) -> bool {
    let is = |names: &[&str]| names.iter().any(|name| key.eq_ignore_ascii_case(name));
    let has = |words: &[&str]| {
        value
            .as_str()
            .is_some_and(|text| words.iter().any(|word| text.trim().eq_ignore_ascii_case(word)))
    };
    match value {
        Value::Null => false,
        // In another case of letters.
        _ if is(&APPROVE) && !APPROVE.contains(&key.as_str()) => *value != Value::Bool(true),
        _ if is(&ACCEPT) => *value == Value::Bool(false),
        _ if is(&DECLINE) => *value != Value::Bool(false),
        _ if is(&VERDICT) => *value != Value::Bool(true) && !has(&YES),
        _ if is(&WORDED) => *value == Value::Bool(false) || has(&DECLINE) || has(&["no", "false"]),
        Value::Array(answers) if is(&[DECISIONS]) => answers.iter().any(declines),
        // The rest of the answer, which may contain another decision.
        Value::Object(members) if key == "payload" => {
            APPROVE
                .iter()
                .any(|name| value.get(name).is_some_and(|approve| approve.as_bool() != Some(true)))
                || members.iter().any(contradicts)
        }
        _ => false,
    }
}

/// Whether one of several answers does not approve.
fn declines(answer: &Value) -> bool {
    match answer {
        Value::Object(members) => members.iter().any(contradicts),
        Value::String(word) => !YES.iter().any(|yes| word.trim().eq_ignore_ascii_case(yes)),
        other => *other != Value::Bool(true),
    }
}

/// Parses the JSON of a request. An object with a duplicate decision declines unless both approve.
/// For any other duplicate key, the last value counts.
pub(crate) fn parse(json: &str, most_depth: u32) -> Result<Value, Error> {
    Value::parse_settled(json, most_depth, |members| {
        for name in APPROVE {
            let mut named = members.iter().filter(|member| member.key == name);
            if named.clone().count() > 1 && named.any(|member| member.value != Value::Bool(true)) {
                decline(members, name);
            }
        }
    })
}

/// Whether other readers also read a text as this value: it has no duplicate decision that declines.
pub(crate) fn is_read_as(json: &str, value: &Value, most_depth: u32) -> bool {
    let may_decide = json.contains("\\u") || APPROVE.iter().any(|name| json.contains(name));
    !may_decide || Value::parse(json, most_depth).is_ok_and(|read| read == *value)
}

fn decline(members: &mut [Member], name: &str) {
    let named = members.iter_mut().filter(|member| member.key == name);
    named.for_each(|member| member.value = Value::Bool(false));
}
