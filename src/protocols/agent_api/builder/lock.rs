//! A value that several handles share: across threads with `std`, on one thread without it.

#[cfg(feature = "std")]
mod held {
    pub use std::sync::{Arc as Handle, MutexGuard as Guard};

    use std::sync::{Mutex, PoisonError};

    pub struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        pub fn new(value: T) -> Self {
            Lock(Mutex::new(value))
        }

        /// Locks the value. A panic of an id source or clock does not leave an incomplete change, so the lock stays
        /// usable.
        pub fn lock(&self) -> Guard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(not(feature = "std"))]
mod held {
    pub use alloc::rc::Rc as Handle;
    pub use core::cell::RefMut as Guard;

    use core::cell::RefCell;

    pub struct Lock<T>(RefCell<T>);

    impl<T> Lock<T> {
        pub fn new(value: T) -> Self {
            Lock(RefCell::new(value))
        }

        pub fn lock(&self) -> Guard<'_, T> {
            self.0.borrow_mut()
        }
    }
}

pub(super) use held::{Guard, Handle, Lock};
