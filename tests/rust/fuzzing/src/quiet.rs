//! Panics as values: proptest would print hundreds of them while it shrinks a failing input.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CHECKING: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a check; if it panics, returns the message and the location of the panic.
pub fn run<I: ?Sized>(check: fn(&I), input: &I) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| match CHECKING.get() {
            true => SAID.set(info.to_string()),
            false => usual(info),
        }));
    });
    CHECKING.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| check(input)));
    CHECKING.set(false);
    result.map_err(|_| SAID.take())
}
