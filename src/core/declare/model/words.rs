//! Declared lists of words: closed ones, and open ones of external protocols, which also accept other words.

/// Declares the enum of a closed list, and of an open one, whose `Other` is any other name and is written unchanged.
/// The fallback is not called `Unknown`, because protocols have a value with that name.
macro_rules! words {
    (closed $($(#[doc = $doc:literal])* $Words:ident as $name:literal {
        $($(#[doc = $word_doc:literal])* $Word:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Words {
            $($(#[doc = $word_doc])* $Word,)*
        }

        impl $Words {
            /// All words.
            pub const ALL: &'static [Self] = &[$(Self::$Word),*];

            /// Returns the stable name, as in JSON.
            pub const fn as_str(self) -> &'static str {
                Self::SHAPE.words[self as usize]
            }

            /// Returns the value that an engine passes to its sink.
            #[allow(dead_code)]
            pub(crate) const fn value(self) -> $crate::core::sink::SinkValue<'static> {
                $crate::core::sink::SinkValue::Word(MODEL.first_word(Number::$Words as u8) + self as u8)
            }

            /// Returns the word of a value.
            pub(crate) fn of(value: $crate::core::sink::SinkValue<'_>) -> Option<Self> {
                match value {
                    $crate::core::sink::SinkValue::Word(word) => {
                        let at = word.checked_sub(MODEL.first_word(Number::$Words as u8))?;
                        Self::ALL.get(at as usize).copied()
                    }
                    _ => None,
                }
            }
        }

        impl Default for $Words {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        words! { shared $(#[doc = $doc])* $Words as $name [false] $($word)* }

        impl $crate::core::declare::model::member::Member for $Words {
            fn set(&mut self, value: $crate::core::sink::SinkValue<'_>) {
                *self = Self::of(value).unwrap_or_default();
            }

            fn write(&self, out: &mut alloc::string::String, _: $crate::core::declare::model::member::Writing) {
                $crate::json::write_plain(self.as_str(), out);
            }
        }
    )*
    /// The numbers of the lists of words.
    #[allow(dead_code)]
    enum Number { $($Words),* }
    };
    (open $($(#[doc = $doc:literal])* $Words:ident as $name:literal {
        $($(#[doc = $word_doc:literal])* $Word:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $Words {
            $($(#[doc = $word_doc])* $Word,)*
            /// A name this version does not know.
            Other(alloc::string::String),
        }

        impl $Words {
            /// Every known name, in the order of the declaration.
            pub const NAMES: &'static [&'static str] = Self::SHAPE.words;

            /// Returns the declared value with a name.
            pub fn known(text: &str) -> Option<Self> {
                // A search in the list, because a `match` would compile to a separate comparison for each name.
                enum Place { $($Word,)* }
                let place = Self::NAMES.iter().position(|name| $crate::bytes::same(name.as_bytes(), text.as_bytes()))?;
                $(if place == Place::$Word as usize {
                    return Some(Self::$Word);
                })*
                None
            }

            /// Returns the name on the wire.
            pub fn as_str(&self) -> &str {
                enum Place { $($Word,)* }
                let place = match self {
                    $(Self::$Word => Place::$Word as usize,)*
                    Self::Other(text) => return text,
                };
                Self::NAMES[place]
            }
        }

        impl From<&str> for $Words {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::Other(alloc::string::String::from(text)))
            }
        }

        impl Default for $Words {
            fn default() -> Self {
                Self::from(Self::NAMES[0])
            }
        }

        impl core::fmt::Display for $Words {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        words! { shared $(#[doc = $doc])* $Words as $name [true] $($word)* }

        impl $crate::core::declare::model::member::Member for $Words {
            fn set(&mut self, value: $crate::core::sink::SinkValue<'_>) {
                *self = Self::from(MODEL.text(value));
            }

            fn write(&self, out: &mut alloc::string::String, _: $crate::core::declare::model::member::Writing) {
                match self {
                    Self::Other(text) => $crate::json::write_string(text, out),
                    known => $crate::json::write_plain(known.as_str(), out),
                }
            }
        }
    )*};
    (shared $(#[doc = $doc:literal])* $Words:ident as $name:literal [$open:tt] $($word:literal)*) => {
        impl $Words {
            pub(crate) const SHAPE: &'static $crate::core::declare::model::shape::WordsShape = &$crate::core::declare::model::shape::WordsShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                words: &[$($word),*],
                #[cfg(feature = "std")] open: $open,
            };
        }

        impl $crate::core::declare::model::member::Shaped for $Words {
            const SHAPE: $crate::core::declare::model::shape::Shape = $crate::core::declare::model::shape::Shape::Words($Words::SHAPE);
        }

        $crate::core::declare::serde_impls! { $Words: |word, serializer| {
            serializer.serialize_str(word.as_str())
        } |deserializer| {
            let named = |text: &str| words!(@named $open text);
            $crate::core::declare::model::from_json::deserialize_word(deserializer, $Words::SHAPE, named)
        } }
    };
    (@named true $text:ident) => { Some(Self::from($text)) };
    (@named false $text:ident) => { Self::ALL.iter().copied().find(|word| word.as_str() == $text) };
}
pub(crate) use words;
