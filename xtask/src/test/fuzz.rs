//! The fuzz targets, each for a short while.

use std::time::{Duration, Instant};

use super::Session;
use crate::{failure::Outcome, fuzz, progress};

/// For all targets together.
const TIME: Duration = Duration::from_secs(120);

pub fn smoke(session: &mut Session) -> Outcome<()> {
    if let Some(reason) = fuzz::missing() {
        progress::note(&format!("skipped: {reason}"));
        session.tally.skipped += 1;
        return Ok(());
    }
    let started = Instant::now();
    let hunts = fuzz::smoke(TIME)?;
    fuzz::print(&hunts, started.elapsed());
    let failed = hunts.iter().filter(|hunt| hunt.finding.is_some()).count() as u64;
    session.tally.failed += failed;
    session.tally.passed += hunts.len() as u64 - failed;
    Ok(())
}
