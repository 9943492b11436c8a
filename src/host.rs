//! Functions that need long tables. The npm package's module calls the JavaScript host for them, so
//! the module contains no tables; every other build implements the same functions in Rust.

/// Floating point numbers from digits and back, to the nearest number and to the fewest digits, by
/// the JavaScript host.
#[cfg(all(feature = "wasm-reader", target_family = "wasm"))]
pub(crate) mod numbers {
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

/// The same by the standard library.
#[cfg(not(all(feature = "wasm-reader", target_family = "wasm")))]
pub(crate) mod numbers {
    use alloc::string::String;

    pub(crate) fn nearest(digits: &str) -> f64 {
        digits.parse().unwrap_or(f64::NAN)
    }

    pub(crate) fn shortest(number: f64) -> String {
        alloc::format!("{number:e}")
    }
}

/// Properties of characters in Unicode, from the JavaScript host.
#[cfg(all(feature = "wasm", target_family = "wasm"))]
pub(crate) mod unicode {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        type RegExp;

        #[wasm_bindgen(constructor)]
        fn new(pattern: &str, flags: &str) -> RegExp;

        #[wasm_bindgen(method)]
        fn test(this: &RegExp, text: &str) -> bool;
    }

    /// Reports whether a text is printable in Python's sense: it has no control, format, private or
    /// unassigned characters, and no separators but the space.
    pub(crate) fn is_printable(text: &str) -> bool {
        !RegExp::new(r"(?! )[\p{C}\p{Z}]", "u").test(text)
    }
}

/// The same by the standard library.
#[cfg(not(all(feature = "wasm", target_family = "wasm")))]
pub(crate) mod unicode {
    /// Reports whether Python shows every character unescaped. Rust and Python agree on printable
    /// characters, except that Rust escapes combining characters at the start of a string: hence
    /// the letter before each character.
    pub(crate) fn is_printable(text: &str) -> bool {
        text.chars().all(|c| {
            let mut bytes = [b'a'; 5];
            let end = 1 + c.encode_utf8(&mut bytes[1..]).len();
            let text = core::str::from_utf8(&bytes[..end]).unwrap_or("");
            matches!(c, '"' | '\'' | '\\') || text.escape_debug().count() == 2
        })
    }
}
