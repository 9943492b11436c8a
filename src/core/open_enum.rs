//! Open enumerations: the known names of a protocol, and `Other` for the rest.

/// Declares an enum over the strings of a protocol. A name it does not know becomes `Other`, which survives a round trip;
/// the fallback is never called `Unknown`, because protocols have a value of that name.
macro_rules! open_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$vmeta])* $variant,)+
            /// A name this version does not know.
            Other(alloc::string::String),
        }

        impl $name {
            /// The known value of that name.
            pub fn known(text: &str) -> Option<Self> {
                // Found in the list, because a `match` becomes a comparison of its own for each name.
                enum Place { $($variant,)+ }
                let place = Self::NAMES.iter().position(|name| crate::bytes::same(name.as_bytes(), text.as_bytes()))?;
                $(if place == Place::$variant as usize {
                    return Some($name::$variant);
                })+
                None
            }

            /// The name on the wire.
            pub fn as_str(&self) -> &str {
                enum Place { $($variant,)+ }
                let place = match self {
                    $($name::$variant => Place::$variant as usize,)+
                    $name::Other(text) => return text,
                };
                Self::NAMES[place]
            }

            /// Every known name, in the order of the declaration.
            pub const NAMES: &'static [&'static str] = &[$($text),+];
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| $name::Other(alloc::string::String::from(text)))
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "typescript")]
        const _: () = {
            use wasm_bindgen::prelude::wasm_bindgen;
            #[wasm_bindgen(typescript_custom_section)]
            const TYPESCRIPT: &'static str =
                concat!("export type ", stringify!($name), " = ", $("\"", $text, "\" | ",)+ "(string & {});\n");
        };
    };
}

pub(crate) use open_enum;
