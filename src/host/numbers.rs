//! Floating point numbers from digits and back, to the nearest number and to the fewest digits.

pub(crate) use here::{nearest, shortest};

/// Conversion by the JavaScript host.
#[cfg(all(feature = "wasm-reader", target_family = "wasm"))]
mod here {
    use alloc::string::String;

    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = Number)]
        pub(crate) fn nearest(digits: &str) -> f64;

        #[wasm_bindgen(js_name = String)]
        pub(crate) fn shortest(number: f64) -> String;
    }
}

/// Conversion by the standard library.
#[cfg(not(all(feature = "wasm-reader", target_family = "wasm")))]
mod here {
    use alloc::string::String;

    pub(crate) fn nearest(digits: &str) -> f64 {
        digits.parse().unwrap_or(f64::NAN)
    }

    pub(crate) fn shortest(number: f64) -> String {
        alloc::format!("{number:e}")
    }
}
