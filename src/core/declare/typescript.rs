//! A text that is built at compile time: the TypeScript that is written into the module has to be a constant.

/// The text.
#[derive(Debug)]
pub(crate) struct Text {
    bytes: [u8; Text::MOST],
    length: usize,
}

impl Text {
    /// The maximum length; sufficient for all protocols.
    const MOST: usize = 1 << 15;

    pub(super) const fn new() -> Self {
        Text { bytes: [0; Text::MOST], length: 0 }
    }

    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => panic!("only texts were put in"),
        }
    }

    pub(super) const fn doc(&mut self, indent: &str, lines: &[&str]) {
        match lines {
            [] => {}
            [line] => self.put(&[indent, "/**", line, " */\n"]),
            lines => {
                self.put(&[indent, "/**\n"]);
                let mut at = 0;
                while at < lines.len() {
                    self.put(&[indent, " *", lines[at], "\n"]);
                    at += 1;
                }
                self.put(&[indent, " */\n"]);
            }
        }
    }

    pub(super) const fn put(&mut self, texts: &[&str]) {
        let mut at = 0;
        while at < texts.len() {
            let bytes = texts[at].as_bytes();
            let mut byte = 0;
            while byte < bytes.len() {
                self.bytes[self.length] = bytes[byte];
                self.length += 1;
                byte += 1;
            }
            at += 1;
        }
    }
}

/// The types that the types of all protocols use.
const _: () = {
    use wasm_bindgen::prelude::wasm_bindgen;
    #[wasm_bindgen(typescript_custom_section)]
    const TYPESCRIPT: &'static str = r#"
/** Any JSON. Integers beyond ±2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Any name that this version does not know. The value is the name itself, a string. It is declared as an enum so that a
 * `switch` distinguishes it from the known names.
 */
export declare enum OtherName {
  Other = "any other name",
}

"#;
};
