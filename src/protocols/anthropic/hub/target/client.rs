//! Needs of clients that the protocol does not define.

/// Whether a client shows the last block of an answer as its result, so that the blocks that belong to
/// a text have to be before it: `claude -p`, and programs with its SDK. The header `User-Agent` of Claude
/// Code is `claude-cli/2.1.332 (external, cli)`, and these have `sdk-…` instead of `cli`.
pub(super) fn shows_last_block(user_agent: &str) -> bool {
    user_agent.strip_prefix("claude-cli/").is_some_and(|rest| rest.contains(", sdk-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_known_by_their_name() {
        assert!(shows_last_block("claude-cli/2.1.332 (external, sdk-cli)"));
        assert!(shows_last_block("claude-cli/2.1.332 (external, sdk-ts, agent-sdk/0.2)"));
        assert!(!shows_last_block("claude-cli/2.1.332 (external, cli)"));
        assert!(!shows_last_block("Anthropic/JS 1.14.0"));
    }
}
