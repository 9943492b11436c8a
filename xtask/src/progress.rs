//! The lines that say what is going on: one per step, its name before the work and its end and time after
//! it.

use std::{
    io::{Write, stdout},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// True while a step's name stands on the screen without its end.
static LINE_OPEN: AtomicBool = AtomicBool::new(false);

pub struct Step {
    name: String,
    started: Instant,
}

impl Step {
    pub fn begin(name: impl Into<String>) -> Self {
        let name = name.into();
        close_line();
        write(&format!("  {name} … "));
        LINE_OPEN.store(true, Ordering::Relaxed);
        Self { name, started: Instant::now() }
    }

    /// `installed` becomes `installed in 21 s`; what took no time gets none.
    pub fn end(self, what: &str) {
        let spent = self.started.elapsed();
        let line = if spent < Duration::from_millis(100) {
            what.to_owned()
        } else {
            format!("{what} in {}", seconds(spent))
        };
        if LINE_OPEN.swap(false, Ordering::Relaxed) {
            write(&format!("{line}\n"));
        } else {
            write(&format!("  {} … {line}\n", self.name));
        }
    }
}

/// Something to say while a step runs.
pub fn note(text: &str) {
    say(&format!("    {text}"));
}

/// A line of its own, also when a step's line is still open.
pub fn say(text: &str) {
    close_line();
    write(&format!("{text}\n"));
}

fn close_line() {
    if LINE_OPEN.swap(false, Ordering::Relaxed) {
        write("\n");
    }
}

pub fn seconds(spent: Duration) -> String {
    let seconds = spent.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.1} s") } else { format!("{seconds:.0} s") }
}

/// Flushed, because a log that lags behind hides what hangs. That the reader has gone (`| head`) is no
/// error of ours.
fn write(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
