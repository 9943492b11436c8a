//! The tables of the lifecycle.

use agentwire::agent_api::lifecycle::{
    ContentEventKind, ObjectPhase, StatusEffect, StatusTransition, content, inside_message,
    inside_response, message, response,
};

/// The three tables as text, so that a review shows a change of any cell.
#[test]
fn lifecycle_tables_match_the_reviewed_text() {
    let phases =
        [ObjectPhase::Absent, ObjectPhase::Waiting, ObjectPhase::InProgress, ObjectPhase::Ended];
    let changes =
        [StatusEffect::Wait, StatusEffect::Start, StatusEffect::End, StatusEffect::Nothing];
    let pieces = [ContentEventKind::Delta, ContentEventKind::Snapshot, ContentEventKind::Completed];
    let cell = |step: StatusTransition| match step {
        StatusTransition::Advance(to) => format!("{to:?}"),
        StatusTransition::Repeat => "=".to_owned(),
        StatusTransition::Illegal(rule, to) => format!("!{} {to:?}", rule.id),
    };
    let mut grid = String::new();
    for from in phases {
        for change in changes {
            grid += &format!("response {from:?} {change:?}: {}\n", cell(response(from, change)));
            grid += &format!("message {from:?} {change:?}: {}\n", cell(message(from, change)));
        }
        for piece in pieces {
            grid += &format!("content {from:?} {piece:?}: {}\n", cell(content(from, piece)));
        }
        grid += &format!("inside response {from:?}: {}\n", cell(inside_response(from)));
        grid += &format!("inside message {from:?}: {}\n", cell(inside_message(from)));
    }
    assert_eq!(grid, include_str!("lifecycle.grid"));
}
