//! What clients need in an answer that the protocol does not say.

/// The needs of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Client {
    /// It sends thinking back only to the model that it has come from, whose name it compares with
    /// that of its request. So the answer has that name.
    pub names_models: bool,
    /// It shows the last block of an answer as its result. So what belongs to a text is before it.
    pub shows_last_block: bool,
}

impl Client {
    /// Returns the needs of the client with this header `User-Agent`: `claude-cli/2.1.197 (external,
    /// cli)` is Claude Code, and `sdk-…` instead of `cli` is `claude -p`, or a program with its SDK.
    pub fn of(user_agent: &str) -> Self {
        let Some(rest) = user_agent.strip_prefix("claude-cli/") else { return Client::default() };
        Client { names_models: true, shows_last_block: rest.contains(", sdk-") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_known_by_their_name() {
        let needs = |user_agent| {
            let Client { names_models, shows_last_block } = Client::of(user_agent);
            (names_models, shows_last_block)
        };
        assert_eq!(needs("claude-cli/2.1.197 (external, sdk-cli)"), (true, true));
        assert_eq!(needs("claude-cli/2.1.197 (external, sdk-ts, agent-sdk/0.2)"), (true, true));
        assert_eq!(needs("claude-cli/2.1.197 (external, cli)"), (true, false));
        assert_eq!(needs("Anthropic/JS 1.10.0"), (false, false));
    }
}
