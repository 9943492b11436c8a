//! What connects a protocol with the hub.

use super::source::HubSink;
use super::transducer::FromHub;
use crate::core::fold::Registered;
use crate::core::wire::WireEvent;
use crate::json::Value;
use alloc::string::String;
use core::fmt;

/// A protocol that can be converted: both its ends at the hub.
pub(crate) trait Spoke: Registered {
    /// What its fold tells, said to the hub.
    type Says: HubSink<Protocol = Self>;
    /// What writes it.
    type Target: FromHub<Event = WireEvent> + fmt::Debug;
    /// How it is written.
    type WriteOptions;

    /// A target at the start of a stream.
    fn target(options: Self::WriteOptions) -> Self::Target;

    /// Adds what the reader of a stream is told of its request to what the answer repeats: a conversion answers that request, too.
    fn asked(_choices: &Self, _echo: &mut Value) {}

    /// Whether a target that has just written the event of a piece can [write](Self::write_pieces) the next ones of that
    /// text without a step.
    fn can_write_pieces(_target: &mut Self::Target) -> bool {
        false
    }

    /// Appends the events of further pieces: their texts as one, and where each ends.
    fn write_pieces(_target: &mut Self::Target, _text: &str, _ends: &[usize], _out: &mut String) {}
}

/// Connects a protocol: what its fold tells the hub, and what writes it, with which options if it has any.
macro_rules! spoke {
    ($Protocol:ident: $Says:ty => hub => $Target:ident $(($WriteOptions:ident))? $({ $($items:item)* })?) => {
        impl $crate::hub::spoke::Spoke for $Protocol {
            type Says = $Says;
            type Target = $Target;
            type WriteOptions = $crate::hub::spoke::spoke!(@options $($WriteOptions)?);

            fn target(_options: Self::WriteOptions) -> $Target {
                $crate::hub::spoke::spoke!(@new $Target $((_options as $WriteOptions))?)
            }

            $($($items)*)?
        }
    };
    (@options) => { () };
    (@options $WriteOptions:ident) => { $WriteOptions };
    (@new $Target:ident) => { $Target::default() };
    (@new $Target:ident ($options:ident as $WriteOptions:ident)) => { $Target::new($options) };
}
pub(crate) use spoke;
