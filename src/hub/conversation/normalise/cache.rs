//! Cache breakpoints, of which a target has a maximum.

use alloc::vec::Vec;

use crate::hub::conversation::requirements::Requirements;
use crate::hub::conversation::{Content, Conversation, Function, Part, Tool, ToolResult};
use crate::hub::loss::{LossClass, Losses};
use crate::json::Value;

/// Leaves out the first breakpoints of messages if there are too many: the last ones are those of
/// the longest beginnings.
pub(super) fn check(conversation: &mut Conversation, to: &Requirements, losses: &mut Losses) {
    if to.max_cache == usize::MAX || conversation.format == to.format {
        return;
    }
    let of_tool = |tool: &Tool| matches!(tool, Tool::Function(Function { cache: Some(_), .. }));
    let of_tools = conversation.tools.iter().filter(|tool| of_tool(tool)).count();
    let parts = conversation.turns.iter_mut().flat_map(|turn| &mut turn.parts);
    let breakpoints: Vec<&mut Option<Value>> = parts.flat_map(of_part).collect();
    let excess = (breakpoints.len() + of_tools).saturating_sub(to.max_cache);
    for breakpoint in breakpoints.into_iter().take(excess) {
        *breakpoint = None;
        let reason = "the target has not so many cache breakpoints: the last ones are kept";
        losses.add(LossClass::Quality, "cache", "", reason);
    }
    let excess = of_tools.saturating_sub(to.max_cache);
    for tool in conversation.tools.iter_mut().filter(|tool| of_tool(tool)).take(excess) {
        if let Tool::Function(function) = tool {
            function.cache = None;
            let reason = "the target has not so many cache breakpoints: the last ones are kept";
            losses.add(LossClass::Quality, "cache", &function.name, reason);
        }
    }
}

/// Returns the breakpoints of a part, and of the result in it.
fn of_part(part: &mut Part) -> Vec<&mut Option<Value>> {
    let mut found = Vec::new();
    let own = &mut part.cache;
    match &mut part.content {
        Content::Call(call) => {
            found.extend(own.is_some().then_some(own));
            found.extend(call.result.as_mut().into_iter().flat_map(of_result));
        }
        _ => found.extend(own.is_some().then_some(own)),
    }
    found
}

fn of_result(result: &mut ToolResult) -> Vec<&mut Option<Value>> {
    let inner = result.parts.iter_mut().map(|part| &mut part.cache);
    inner.chain([&mut result.cache]).filter(|cache| cache.is_some()).collect()
}
