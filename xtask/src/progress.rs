//! Progress lines: one for each step when it ends, and one every 20 seconds while it runs.

use std::{
    io::{Write, stdout},
    time::{Duration, Instant},
};

/// A step that is under way. Steps may run at the same time.
pub struct Step {
    name: String,
    started: Instant,
}

impl Step {
    pub fn begin(name: impl Into<String>) -> Self {
        Self { name: name.into(), started: Instant::now() }
    }

    /// Prints `  npm packages: installed in 21 s`.
    pub fn end(self, result: &str) {
        let spent = self.started.elapsed();
        let time = if spent < Duration::from_millis(500) {
            String::new()
        } else {
            format!(" in {}", seconds(spent))
        };
        line(&format!("  {}: {result}{time}", self.name));
    }
}

/// Prints one line and flushes. A closed standard output (`| head`) is ignored.
pub fn line(text: &str) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

pub fn seconds(spent: Duration) -> String {
    match spent.as_secs_f64() {
        seconds if seconds < 10.0 => format!("{seconds:.1} s"),
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds => format!("{:.0} min {:02.0} s", (seconds / 60.0).floor(), seconds % 60.0),
    }
}
