//! Numbers of tokens, in the forms of all protocols.

use agentwire::json::Value;

use super::routes::Price;

/// Tokens that an upstream has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The tokens of the input, with those that were read from or written to a cache.
    pub input: u64,
    /// The tokens of the input that were read from a cache.
    pub cached_input: u64,
    /// The tokens of the output, with those of the reasoning.
    pub output: u64,
    /// The tokens of the reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// Reads an object with numbers of tokens, or a list of objects, as AG-UI has one for each
    /// model.
    pub fn read(usage: &Value) -> Option<Self> {
        if let Value::Array(list) = usage {
            let all = list.iter().filter_map(Self::read);
            return all.reduce(|sum, next| Usage {
                input: sum.input.saturating_add(next.input),
                cached_input: sum.cached_input.saturating_add(next.cached_input),
                output: sum.output.saturating_add(next.output),
                reasoning: sum.reasoning.saturating_add(next.reasoning),
            });
        }
        let count = |object: &Value, names: &[&str]| {
            names.iter().find_map(|name| match object.get(name) {
                Some(Value::Number(digits)) => digits.as_str().parse::<u64>().ok(),
                _ => None,
            })
        };
        let detail = |objects: &[&str], names: &[&str]| {
            objects.iter().find_map(|object| count(usage.get(object)?, names))
        };
        let input = ["input_tokens", "prompt_tokens", "inputTokens", "promptTokens"];
        let output = ["output_tokens", "completion_tokens", "outputTokens", "completionTokens"];
        let cached = ["cached_input_tokens", "cachedInputTokens", "cached_tokens"];
        let reasoning = ["reasoning_tokens", "reasoningTokens"];
        let (whole, output) = (count(usage, &input), count(usage, &output));
        if whole.is_none() && output.is_none() {
            return None;
        }
        // Anthropic counts them apart from the others.
        let read = count(usage, &["cache_read_input_tokens"]);
        let written = count(usage, &["cache_creation_input_tokens"]);
        let apart = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
        Some(Usage {
            input: whole.unwrap_or(0).saturating_add(apart),
            cached_input: read
                .or_else(|| count(usage, &cached))
                .or_else(|| detail(&["input_tokens_details", "prompt_tokens_details"], &cached))
                .unwrap_or(0),
            output: output.unwrap_or(0),
            reasoning: count(usage, &reasoning)
                .or_else(|| {
                    detail(&["output_tokens_details", "completion_tokens_details"], &reasoning)
                })
                .unwrap_or(0),
        })
    }

    /// Reads the usage in an event of a stream, or in a whole answer.
    pub fn of_event(event: &Value) -> Option<Self> {
        let inside = |name: &str| event.get(name).and_then(|object| object.get("usage"));
        let usage = event.get("usage").or_else(|| inside("response")).or_else(|| inside("message"));
        Self::read(usage?)
    }

    /// Replaces the numbers by those of a later event, which may have only some of them.
    pub fn update(&mut self, later: Self) {
        let newer = |old: &mut u64, new: u64| *old = if new == 0 { *old } else { new };
        newer(&mut self.input, later.input);
        newer(&mut self.cached_input, later.cached_input);
        newer(&mut self.output, later.output);
        newer(&mut self.reasoning, later.reasoning);
    }

    /// Returns what these tokens cost.
    pub fn cost(&self, price: &Price) -> f64 {
        let cached = self.cached_input.min(self.input);
        let cached_price = price.cached_input.unwrap_or(price.input);
        let millionths = (self.input - cached) as f64 * price.input
            + cached as f64 * cached_price
            + self.output as f64 * price.output;
        millionths / 1e6
    }
}
