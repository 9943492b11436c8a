//! Properties of characters in Unicode.

pub(crate) use here::is_printable;

/// Properties from the JavaScript host.
#[cfg(all(feature = "wasm", target_family = "wasm"))]
mod here {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        type RegExp;

        #[wasm_bindgen(constructor)]
        fn new(pattern: &str, flags: &str) -> RegExp;

        #[wasm_bindgen(method)]
        fn test(this: &RegExp, text: &str) -> bool;
    }

    /// Reports whether a text is printable in Python's sense: it has no control, format, private or unassigned
    /// characters, and no separators but the space.
    pub(crate) fn is_printable(text: &str) -> bool {
        !RegExp::new(r"(?! )[\p{C}\p{Z}]", "u").test(text)
    }
}

#[cfg(not(all(feature = "wasm", target_family = "wasm")))]
mod here {
    /// Reports whether Python shows every character unescaped. Rust and Python agree on printable characters, except
    /// that Rust escapes combining characters at the start of a string: hence the letter before each character.
    pub(crate) fn is_printable(text: &str) -> bool {
        text.chars().all(|c| {
            let mut bytes = [b'a'; 5];
            let end = 1 + c.encode_utf8(&mut bytes[1..]).len();
            let text = core::str::from_utf8(&bytes[..end]).unwrap_or("");
            matches!(c, '"' | '\'' | '\\') || text.escape_debug().count() == 2
        })
    }
}
