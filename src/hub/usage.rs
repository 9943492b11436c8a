//! Token usage with every count that clients of OpenAI's APIs require.

use crate::json::Value;

/// Counts that are details of other counts.
const ALONE: [&str; 2] = ["cached_input_tokens", "reasoning_tokens"];

/// Returns token usage with the counts of input, output and both, and their details: zeros for
/// unknown counts. Other counts follow.
pub(crate) fn complete_usage(usage: &Value) -> Value {
    let count = |names: &[&str]| {
        let found = names.iter().find_map(|name| usage.get(name));
        found.filter(|count| matches!(count, Value::Number(_))).cloned()
    };
    let (input, output) =
        (count(&["input_tokens", "prompt_tokens"]), count(&["output_tokens", "completion_tokens"]));
    let number =
        |count: &Option<Value>| count.as_ref().and_then(Value::integer::<i64>).unwrap_or(0);
    let total = count(&["total_tokens"])
        .unwrap_or_else(|| number(&input).saturating_add(number(&output)).into());
    let details = |name: &str, member: &str, alone: &str| {
        let mut details = usage
            .get(name)
            .filter(|value| matches!(value, Value::Object(_)))
            .cloned()
            .unwrap_or_default();
        if details.get(member).is_none() {
            details.insert(member, count(&[alone]).unwrap_or_else(|| 0.into()));
        }
        details
    };
    let counts = [
        ("input_tokens", input.unwrap_or_else(|| 0.into())),
        ("input_tokens_details", details("input_tokens_details", "cached_tokens", ALONE[0])),
        ("output_tokens", output.unwrap_or_else(|| 0.into())),
        ("output_tokens_details", details("output_tokens_details", "reasoning_tokens", ALONE[1])),
        ("total_tokens", total),
    ];
    let mut others = usage.members_without(&counts.each_ref().map(|(key, _)| *key));
    others.retain(|member| {
        !ALONE.contains(&&*member.key) || !matches!(member.value, Value::Number(_))
    });
    let mut complete = Value::from(counts);
    if let Value::Object(members) = &mut complete {
        members.extend(others);
    }
    complete
}

/// Adds the numbers of another token usage, also inside of objects.
pub(crate) fn add_usage(sum: &mut Option<Value>, usage: Option<Value>) {
    let Some(usage) = usage.filter(|usage| !usage.is_null()) else { return };
    match (sum.as_mut(), &usage) {
        (Some(Value::Object(members)), Value::Object(more)) => {
            for member in more {
                let mut known = members.iter_mut().find(|known| known.key == member.key);
                match known.as_mut().map(|known| &mut known.value) {
                    Some(value) => {
                        let mut total = Some(core::mem::take(value));
                        add_usage(&mut total, Some(member.value.clone()));
                        *value = total.unwrap_or_default();
                    }
                    None => members.push(member.clone()),
                }
            }
        }
        (Some(Value::Number(one)), Value::Number(other)) => {
            let total = one.parse::<i64>().ok().zip(other.parse::<i64>().ok());
            if let Some(total) = total.and_then(|(one, other)| one.checked_add(other)) {
                *sum = Some(total.into());
            }
        }
        _ => *sum = Some(usage),
    }
}
