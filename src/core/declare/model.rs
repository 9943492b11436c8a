//! Answers, declared: Rust types whose members a sink can find by number.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::shape::{Model, Shape};
use crate::core::fold::{Key, Kind, Node, Sink, SinkValue};
use crate::json::{Member as Member_, Raw, Value, write_list, write_string};

/// The type of a member.
pub trait Member: Debug {
    /// It has this value now.
    fn set(&mut self, value: SinkValue<'_>);

    /// It got longer.
    fn append(&mut self, _piece: &str) {}

    /// It holds one object more, which is returned as its place.
    fn open(&mut self, _kind: Kind) -> usize {
        0
    }

    /// The object that it holds at a place.
    fn child(&mut self, _at: usize) -> Option<&mut dyn Object> {
        None
    }

    /// As JSON.
    fn write(&self, out: &mut String);
}

/// What a type of member looks like.
pub trait Shaped {
    /// The shape.
    const SHAPE: Shape;
}

/// A declared object.
pub trait Object: Debug {
    /// The member of that number.
    fn member(&mut self, key: Key) -> Option<&mut dyn Member>;

    /// As JSON.
    fn write(&self, out: &mut String);
}

/// What can be made when a fold opens an object.
pub trait OfKind: Object + Sized {
    /// An object of that kind.
    fn of_kind(kind: Kind) -> Self;
}

impl Member for String {
    fn set(&mut self, value: SinkValue<'_>) {
        self.clear();
        if let SinkValue::Str(text) = value {
            self.push_str(text);
        }
    }

    fn append(&mut self, piece: &str) {
        self.push_str(piece);
    }

    fn write(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Shaped for String {
    const SHAPE: Shape = Shape::Text;
}

impl Member for Value {
    fn set(&mut self, value: SinkValue<'_>) {
        *self = match value {
            SinkValue::Json(raw) => Value::from_raw(raw),
            SinkValue::Free(value) => Value::of(value),
            SinkValue::Str(text) => text.into(),
            SinkValue::Bool(value) => value.into(),
            SinkValue::Int(value) => value.into(),
            SinkValue::Null | SinkValue::Word(_) => Value::Null,
        };
    }

    fn write(&self, out: &mut String) {
        Value::write(self, out);
    }
}

impl Shaped for Value {
    const SHAPE: Shape = Shape::Json;
}

impl<T: Member + Default> Member for Option<T> {
    fn set(&mut self, value: SinkValue<'_>) {
        *self = None;
        if value != SinkValue::Null {
            self.get_or_insert_default().set(value);
        }
    }

    fn append(&mut self, piece: &str) {
        self.get_or_insert_default().append(piece);
    }

    fn open(&mut self, kind: Kind) -> usize {
        self.insert(T::default()).open(kind)
    }

    fn child(&mut self, at: usize) -> Option<&mut dyn Object> {
        self.as_mut()?.child(at)
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Shaped> Shaped for Option<T> {
    const SHAPE: Shape = Shape::Nullable(&T::SHAPE);
}

impl Member for Vec<String> {
    fn set(&mut self, value: SinkValue<'_>) {
        let mut list = Value::Null;
        list.set(value);
        self.clear();
        if let Value::Array(items) = list {
            self.extend(items.iter().filter_map(|item| item.as_str().map(ToOwned::to_owned)));
        }
    }

    fn write(&self, out: &mut String) {
        write_list(self, out, |text, out| write_string(text, out));
    }
}

impl<T: OfKind> Member for Vec<T> {
    fn set(&mut self, _: SinkValue<'_>) {
        self.clear();
    }

    fn open(&mut self, kind: Kind) -> usize {
        self.push(T::of_kind(kind));
        self.len() - 1
    }

    fn child(&mut self, at: usize) -> Option<&mut dyn Object> {
        self.get_mut(at).map(|object| object as &mut dyn Object)
    }

    fn write(&self, out: &mut String) {
        write_list(self, out, Object::write);
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);
}

/// Where the objects of an answer stand that a fold has opened. It says nothing of the answer, so all are equal.
#[derive(Clone, Debug, Default)]
pub struct Nodes(Vec<Place>);

impl PartialEq for Nodes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug)]
struct Place {
    parent: Node,
    list: Key,
    at: usize,
}

impl Nodes {
    fn find<'r>(&self, root: &'r mut dyn Object, node: Node) -> Option<&'r mut dyn Object> {
        let Some(above) = (node as usize).checked_sub(1) else { return Some(root) };
        let Place { parent, list, at } = *self.0.get(above)?;
        self.find(root, parent)?.member(list)?.child(at)
    }
}

/// An object as JSON.
pub(crate) fn object_to_json(object: &dyn Object) -> String {
    let mut out = String::new();
    object.write(&mut out);
    out
}

/// Gives an object the members that JSON has of it.
pub(crate) fn set_members(object: &mut dyn Object, value: SinkValue<'_>, kind: Kind, model: &Model) {
    let mut json = Value::Null;
    json.set(value);
    let (Value::Object(members), Some(shape)) = (json, model.objects.get(kind.0 as usize)) else { return };
    for Member_ { key, value } in members {
        let Some(at) = shape.members.iter().position(|member| member.name == key) else { continue };
        let Some(member) = object.member(Key(model.first_key(kind.0) + at as u8)) else { continue };
        match &value {
            Value::Null => member.set(SinkValue::Null),
            Value::String(text) => member.set(SinkValue::Str(text)),
            other => member.set(SinkValue::Json(Raw(&other.to_json()))),
        }
    }
}

/// The root of a declared answer. It is a [`Sink`]: what it is told, it stores.
pub trait Root: Object {
    /// The objects that were opened.
    fn nodes(&mut self) -> &mut Nodes;
}

fn with_member<R: Root>(root: &mut R, node: Node, key: Key, work: impl FnOnce(&mut dyn Member)) {
    let nodes = core::mem::take(root.nodes());
    if let Some(member) = nodes.find(root, node).and_then(|object| object.member(key)) {
        work(member);
    }
    *root.nodes() = nodes;
}

impl<R: Root> Sink for R {
    fn open(&mut self, kind: Kind, parent: Node, list: Key) {
        let mut at = 0;
        with_member(self, parent, list, |member| at = member.open(kind));
        self.nodes().0.push(Place { parent, list, at });
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        with_member(self, node, key, |member| member.set(value));
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        with_member(self, node, key, |member| member.append(text));
    }

    // What declared answers do not have yet: members that are not declared, data in pieces, lists that change their order.
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn set_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    fn append_in(&mut self, _: Node, _: Key, _: &[&str], _: &str) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
    fn move_last(&mut self, _: Node, _: Key, _: Node, _: usize) {}
    fn remove(&mut self, _: Node, _: Key, _: Node) {}
    fn arrange(&mut self, _: Node, _: Key, _: &[Node]) {}
}

/// Declares a protocol's answer.
///
/// ```ignore
/// model! {
///     words {
///         /// How far a turn has come.
///         Status as "TurnStatus" { Streaming = "streaming", Completed = "completed" }
///     }
///     root {
///         /// The turn so far.
///         Snapshot as "Turn" { status: Status, parts: Vec<Part> }
///     }
///     objects {
///         /// Text.
///         TextPart as "TextPart" { text: String }
///     }
///     unions {
///         /// One part of a turn.
///         Part as "Part" by "type" { Text(TextPart) = "text" }
///     }
/// }
/// ```
///
/// Makes these types, `MODEL`, which says what they look like, and for each object its number for a fold
/// (`TextPart::KIND`) and those of its members (`TextPart::text`). An object starts with the first word of each list, empty
/// texts and null.
macro_rules! model {
    (
        words { $($words:tt)* }
        root { $($root:tt)* }
        objects { $($objects:tt)* }
        unions { $($unions:tt)* }
    ) => {
        model! { @words $($words)* }
        model! { @root $($root)* }
        model! { @objects $($objects)* }
        model! { @unions $($unions)* }
        model! { @model [$($words)*] [$($root)* $($objects)*] [$($unions)*] }
    };
    (@words $($(#[doc = $doc:literal])* $Words:ident as $name:literal {
        $($(#[doc = $word_doc:literal])* $Word:ident = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub enum $Words {
            $($(#[doc = $word_doc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $Word,)*
        }

        impl $Words {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Word),*];

            const SHAPE: &'static $crate::core::declare::shape::WordsShape = &$crate::core::declare::shape::WordsShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                words: &[$($word),*],
            };

            /// Stable name, as it stands in JSON.
            pub const fn as_str(self) -> &'static str {
                Self::SHAPE.words[self as usize]
            }

            /// As a value that a fold gives its sink.
            pub(crate) const fn value(self) -> $crate::core::fold::SinkValue<'static> {
                $crate::core::fold::SinkValue::Word(MODEL.first_word(Number::$Words as u8) + self as u8)
            }

            /// The word that a value is.
            pub(crate) fn of(value: $crate::core::fold::SinkValue<'_>) -> Option<Self> {
                match value {
                    $crate::core::fold::SinkValue::Word(word) => {
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

        impl $crate::core::declare::model::Member for $Words {
            fn set(&mut self, value: $crate::core::fold::SinkValue<'_>) {
                *self = Self::of(value).unwrap_or_default();
            }

            fn write(&self, out: &mut alloc::string::String) {
                $crate::json::write_string(self.as_str(), out);
            }
        }

        impl $crate::core::declare::model::Shaped for $Words {
            const SHAPE: $crate::core::declare::shape::Shape = $crate::core::declare::shape::Shape::Words($Words::SHAPE);
        }
    )*
    /// The numbers of the lists of words.
    #[allow(dead_code)]
    enum Number { $($Words),* }
    };
    (@objects $($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*) => {
        $(model! { @object [] $(#[doc = $doc])* $Object as $name { $($members)* } })*
    };
    (@root $(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* }) => {
        model! {
            @object [#[cfg_attr(feature = "serde", serde(skip))] nodes: $crate::core::declare::model::Nodes]
            $(#[doc = $doc])* $Object as $name { $($members)* }
        }

        impl $crate::core::declare::model::Root for $Object {
            fn nodes(&mut self) -> &mut $crate::core::declare::model::Nodes {
                &mut self.nodes
            }
        }

        impl $crate::core::answer::Answer for $Object {
            fn answer_json(&self) -> alloc::string::String {
                self.to_json()
            }
        }

        /// The tables that a reader of the patch needs, as JSON.
        pub fn patch_schema() -> alloc::string::String {
            MODEL.patch_schema()
        }

        impl $Object {
            /// The answer as JSON, members as TypeScript declares them.
            pub fn to_json(&self) -> alloc::string::String {
                $crate::core::declare::model::object_to_json(self)
            }
        }
    };
    (@object [$($nodes:tt)*] $(#[doc = $doc:literal])* $Object:ident as $name:literal {
        $($(#[doc = $member_doc:literal])* $member:ident $(as $wire:literal)?: $Type:ty),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub struct $Object {
            $(
                $(#[doc = $member_doc])*
                $(#[cfg_attr(feature = "serde", serde(rename = $wire))])?
                pub $member: $Type,
            )*
            $($nodes)*
        }

        const _: () = {
            #[allow(non_camel_case_types)]
            enum Place { $($member),* }

            #[allow(non_upper_case_globals, dead_code)]
            impl $Object {
                pub(crate) const KIND: $crate::core::fold::Kind = $crate::core::fold::Kind(ObjectNumber::$Object as u8);
                $(
                    pub(crate) const $member: $crate::core::fold::Key = $crate::core::fold::Key(
                        MODEL.first_key(ObjectNumber::$Object as u8) + Place::$member as u8,
                    );
                )*
                pub(crate) const SHAPE: &'static $crate::core::declare::shape::ObjectShape =
                    &$crate::core::declare::shape::ObjectShape {
                        kind: ObjectNumber::$Object as u8,
                        #[cfg(feature = "std")] name: $name,
                        #[cfg(feature = "std")] doc: &[$($doc),*],
                        members: &[$($crate::core::declare::shape::MemberShape {
                            name: model!(@name $member $($wire)?),
                            #[cfg(feature = "std")] doc: &[$($member_doc),*],
                            shape: <$Type as $crate::core::declare::model::Shaped>::SHAPE,
                        }),*],
                    };

                pub(crate) fn write_members(&self, object: &mut $crate::json::Object<'_>) {
                    $($crate::core::declare::model::Member::write(&self.$member, object.member(model!(@name $member $($wire)?)));)*
                }
            }
        };

        impl $crate::core::declare::model::Object for $Object {
            fn member(&mut self, key: $crate::core::fold::Key) -> Option<&mut dyn $crate::core::declare::model::Member> {
                $(if key == Self::$member {
                    return Some(&mut self.$member);
                })*
                None
            }

            fn write(&self, out: &mut alloc::string::String) {
                let mut object = $crate::json::Object::open(out, false);
                self.write_members(&mut object);
                object.close();
            }
        }

        /// As a member: the object itself.
        impl $crate::core::declare::model::Member for $Object {
            fn set(&mut self, value: $crate::core::fold::SinkValue<'_>) {
                *self = Self::default();
                $crate::core::declare::model::set_members(self, value, Self::KIND, &MODEL);
            }

            fn child(&mut self, _: usize) -> Option<&mut dyn $crate::core::declare::model::Object> {
                Some(self)
            }

            fn write(&self, out: &mut alloc::string::String) {
                $crate::core::declare::model::Object::write(self, out);
            }
        }

        impl $crate::core::declare::model::Shaped for $Object {
            const SHAPE: $crate::core::declare::shape::Shape = $crate::core::declare::shape::Shape::Object($Object::SHAPE);
        }
    };
    (@unions $($(#[doc = $doc:literal])* $Union:ident as $name:literal by $tag:literal {
        $($(#[doc = $variant_doc:literal])* $Variant:ident($Object:ident) = $word:literal),* $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = $tag))]
        #[non_exhaustive]
        pub enum $Union {
            $($(#[doc = $variant_doc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $Variant($Object),)*
        }

        impl $Union {
            pub(crate) const SHAPE: &'static $crate::core::declare::shape::UnionShape = &$crate::core::declare::shape::UnionShape {
                #[cfg(feature = "std")] name: $name,
                #[cfg(feature = "std")] doc: &[$($doc),*],
                tag: $tag,
                variants: &[$(($word, $Object::SHAPE)),*],
            };
        }

        impl $crate::core::declare::model::Object for $Union {
            fn member(&mut self, key: $crate::core::fold::Key) -> Option<&mut dyn $crate::core::declare::model::Member> {
                match self {
                    $(Self::$Variant(object) => object.member(key),)*
                }
            }

            fn write(&self, out: &mut alloc::string::String) {
                let mut object = $crate::json::Object::open(out, false);
                match self {
                    $(Self::$Variant(inner) => {
                        object.string($tag, Some($word));
                        inner.write_members(&mut object);
                    })*
                }
                object.close();
            }
        }

        impl $crate::core::declare::model::OfKind for $Union {
            fn of_kind(kind: $crate::core::fold::Kind) -> Self {
                $(if kind == $Object::KIND {
                    return Self::$Variant(Default::default());
                })*
                unreachable!("a fold opens no other object here")
            }
        }

        impl $crate::core::declare::model::Shaped for $Union {
            const SHAPE: $crate::core::declare::shape::Shape = $crate::core::declare::shape::Shape::Union($Union::SHAPE);
        }
    )*};
    (@model
        [$($(#[doc = $words_doc:literal])* $Words:ident as $words_name:literal { $($words:tt)* })*]
        [$($(#[doc = $doc:literal])* $Object:ident as $name:literal { $($members:tt)* })*]
        [$($(#[doc = $union_doc:literal])* $Union:ident as $union_name:literal by $tag:literal { $($variants:tt)* })*]
    ) => {
        /// What the answer looks like.
        pub static MODEL: $crate::core::declare::shape::Model = $crate::core::declare::shape::Model {
            objects: &[$($Object::SHAPE),*],
            unions: &[$($Union::SHAPE),*],
            words: &[$($Words::SHAPE),*],
        };

        /// The numbers of the objects.
        enum ObjectNumber { $($Object),* }
    };
    (@name $member:ident) => { stringify!($member) };
    (@name $member:ident $wire:literal) => { $wire };
}
pub(crate) use model;
