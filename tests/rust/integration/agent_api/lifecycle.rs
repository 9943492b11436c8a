//! The tables of the lifecycle.

use agentwire::agent_api::lifecycle::{
    Change, Phase, Piece, Transition, content, inside_message, inside_response, message, response,
};

/// The three tables as text, so that a review shows a change of any cell.
#[test]
fn lifecycle_tables_match_the_reviewed_text() {
    let phases = [Phase::Absent, Phase::Waiting, Phase::InProgress, Phase::Ended];
    let changes = [Change::Wait, Change::Start, Change::End, Change::Nothing];
    let pieces = [Piece::Delta, Piece::Snapshot, Piece::Completed];
    let cell = |step: Transition| match step {
        Transition::Advance(to) => format!("{to:?}"),
        Transition::Repeat => "=".to_owned(),
        Transition::Illegal(rule, to) => format!("!{} {to:?}", rule.id),
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
