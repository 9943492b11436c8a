//! Runs: the log, the client that resumes, the requests and the errors.

mod follow;
mod log;
mod request;

use agentwire::Reader;
use agentwire::ag_ui::AgUi;

/// Returns the snapshot of AG-UI for a stream.
fn folded(stream: &[u8]) -> String {
    let mut reader = Reader::new(AgUi::default());
    reader.push(stream);
    reader.finish().snapshot.to_json()
}
