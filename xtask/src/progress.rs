//! The lines that say what is going on: one per step, its name before the work and its end and time after
//! it.

use std::{
    io::{Write, stdout},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The number of the step whose name stands on the screen without its end; 0 if there is none.
static OPEN: AtomicU64 = AtomicU64::new(0);

/// The number of the step that began last.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Several may be under way at once: each then has a line when it begins and one when it ends.
pub struct Step {
    number: u64,
    name: String,
    started: Instant,
}

impl Step {
    pub fn begin(name: impl Into<String>) -> Self {
        let name = name.into();
        close_line();
        write(&format!("  {name} … "));
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        OPEN.store(number, Ordering::Relaxed);
        Self { number, name, started: Instant::now() }
    }

    /// `installed` becomes `installed in 21 s`; what took no time gets none.
    pub fn end(self, what: &str) {
        let spent = self.started.elapsed();
        let line = if spent < Duration::from_millis(100) {
            what.to_owned()
        } else {
            format!("{what} in {}", seconds(spent))
        };
        if OPEN.compare_exchange(self.number, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            write(&format!("{line}\n"));
        } else {
            say(&format!("  {} … {line}", self.name));
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
    if OPEN.swap(0, Ordering::Relaxed) > 0 {
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
