//! Declared objects in events, or events, whose members are read one by one.

/// Declares objects whose members are read on access.
///
/// ```text
/// lazy_objects! {
///     /// One use of a model.
///     TokenUsage {
///         /// Which.
///         model: Nullable<Text>,
///         /// Its prices.
///         prices: Nullable<List> of Price,
///     }
/// }
/// ```
///
/// `TokenUsage if is_priced { … }` also requires that its method `is_priced` returns no error. `TokenUsage as "Usage"`
/// sets the name in TypeScript, `with Price` appends the members of the variants of `Price`, a tagged object of the
/// answer, and `status: Text in Status` declares that a text is usually one of those words.
///
/// Creates a type for each object, with a method for every member. A large object with many members then costs nothing
/// until a member is read; if all members are needed, [`events!`](super::events) reads them as one value.
macro_rules! lazy_objects {
    ($($(#[doc = $doc:literal])* $Object:ident $(as $type:literal)? $(= $name:literal)? $(if $also:ident)? $(with $Variants:ident)? {
        $($(#[doc = $member_doc:literal])* $member:ident $(as $wire:literal)?: $form:ident $(<$inner:ident>)? $(of $Nested:ident)? $(in $Words:ident)?),*
        $(,)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Object<'a>(pub(crate) $crate::core::declare::events::table::Reading<'a, 'a>);

        const _: () = {
            use $crate::core::declare::events::{form::{Form, Nested}, syntax, row::EventRow, table::{EventTable, Reading}};
            use $crate::json::Element;

            #[allow(non_camel_case_types)]
            enum Place { $($member),* }

            #[allow(dead_code, reason = "not every object is looked at in every way")]
            impl $Object<'_> {
                /// The members that the protocol declares.
                pub const MEMBERS: &'static [&'static str] = &[$(syntax::name!($member $($wire)?)),*];

                pub(crate) const ROW: EventRow = Self::row(lazy_objects!(@name $($name)?));

                /// The row of the object as a kind of event with that name.
                const fn row(name: &'static str) -> EventRow {
                    syntax::event_row!(
                        name,
                        [$(syntax::member!($member $($wire)?: $form $($inner)? $(of $Nested)?)),*],
                        lazy_objects!(@also $Object $($also)?),
                        lazy_objects!(@option $($type)?),
                        lazy_objects!(@option $($Variants::UNION)?),
                        [$($doc),*],
                        [$([$($member_doc),*] lazy_objects!(@option $($Words::SHAPE)?)),*]
                    )
                }
            }

            #[allow(dead_code, reason = "not every object is looked at in every way")]
            impl<'a> $Object<'a> {
                /// Reads one from an object.
                ///
                /// Fails if a declared member has a wrong type. Undeclared or missing members are not errors.
                pub fn decode(json: Element<'a, 'a>) -> Result<Self, $crate::core::error::DecodeError> {
                    <$Object<'static> as Nested>::read(json)
                }

                /// Returns the whole object.
                pub fn json(&self) -> Element<'a, 'a> {
                    self.0.json
                }

                /// Iterates over the undeclared members.
                pub fn undeclared(&self) -> impl Iterator<Item = (alloc::borrow::Cow<'a, str>, $crate::json::Raw<'a>)> + use<'a> {
                    self.0.undeclared()
                }

                $(
                    $(#[doc = $member_doc])*
                    pub fn $member(&self) -> $crate::core::declare::events::syntax::wire!('a 'a $form $($inner)? $(of $Nested)?) {
                        <syntax::form!($form $($inner)? $(of $Nested)?) as Form>::take(self.0.get(Place::$member as usize))
                    }
                )*
            }

            impl Nested for $Object<'static> {
                const TABLE: &'static EventTable = &EventTable { tag: "", rows: &[$Object::row("")] };
                type Wire<'d> = $Object<'d>;

                fn of<'d>(reading: Reading<'d, 'd>) -> $Object<'d> {
                    $Object(reading)
                }
            }
        };
    )*};
    (@name) => { "" };
    (@name $name:literal) => { $name };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    (@also $Object:ident) => { None };
    (@also $Object:ident $also:ident) => { Some(|reading| $Object(*reading).$also()) };
}
pub(crate) use lazy_objects;

#[cfg(test)]
mod tests {
    use crate::core::declare::events;
    use crate::core::declare::events::form::Presence;
    use crate::json::Document;

    lazy_objects! {
        /// A use of a model.
        Usage {
            /// Which.
            model: Text,
            /// How much.
            tokens: Nullable<Integer>,
            /// Whether it is the last.
            last: Maybe<Bool>,
            /// Some other number.
            loose: Number,
        }
        /// Several.
        Uses = "uses" {
            /// All.
            all: Nullable<List> of Usage,
            /// One.
            one: Nullable<Object> of Usage,
        }
    }

    events! {
        /// An event.
        Event by "type";

        /// How much was used.
        Used = "used" {
            /// By whom.
            uses: List of Usage,
            /// Altogether.
            sum: Optional<Object> of Usage,
            /// How often.
            times: Integer,
            /// Whether that is all.
            last: Maybe<Bool>,
        }
    }

    fn uses(json: &str, with: impl FnOnce(Uses<'_>)) {
        let document = Document::read(json, 9).expect("JSON");
        with(Uses::decode(document.root()).expect("uses"));
    }

    #[test]
    fn members_are_absent_or_null_or_there() {
        uses(
            r#"{"one":null,"x":1,"all":[{"model":"a","tokens":"12","last":null,"loose":true},{"tokens":1},{"model":"b","tokens":null,"last":true,"loose":2.0}],"y":[2]}"#,
            |uses| {
                let all: Vec<_> = uses.all().expect("a list").each().collect();
                let [Ok(first), Err(second), Ok(third)] = &all[..] else { panic!("{all:?}") };
                assert_eq!(
                    (first.model().raw(), first.tokens(), first.last(), first.loose()),
                    ("a", Some(12), Presence::Null, None)
                );
                assert_eq!((second.code, &*second.path), ("missing-member", "model"));
                assert_eq!(
                    (third.tokens(), third.last(), third.loose()),
                    (None, Presence::Value(true), Some(2))
                );
                assert!(uses.one().is_none() && !third.0.has_undeclared());
                let undeclared: Vec<_> =
                    uses.0.other_than(2).map(|(name, value)| format!("{name}{}", value.as_str())).collect();
                assert_eq!(undeclared, ["x1", "y[2]"]);
                assert_eq!((uses.0.first_from(0), third.0.first_from(1)), (Some(0), Some(2)));
            },
        );
        uses(r#"{"one":{"model":"c"}}"#, |uses| {
            let one = uses.one().and_then(|one| one.object()).expect("an object");
            assert_eq!((one.model().raw(), one.tokens(), one.last()), ("c", None, Presence::Absent));
            assert!(uses.all().is_none());
        });
    }

    #[test]
    fn what_is_wrong_inside_is_wrong() {
        let wrong = |json: &str| {
            let error = Event::decode(json, 9).map(Event::into_owned).expect_err(json);
            (error.code, error.path)
        };
        assert_eq!(
            wrong(r#"{"type":"used","uses":[{"model":1}],"times":1}"#),
            ("wrong-type", "model".to_owned())
        );
        assert_eq!(
            wrong(r#"{"type":"used","uses":[],"sum":{},"times":1}"#),
            ("missing-member", "model".to_owned())
        );
        assert_eq!(wrong(r#"{"type":"used","uses":{},"times":1}"#), ("wrong-type", "uses".to_owned()));
        assert_eq!(wrong(r#"{"type":"used","uses":[],"times":1.5}"#), ("wrong-type", "times".to_owned()));
        assert_eq!(wrong(r#"{"type":"used","uses":[]}"#), ("missing-member", "times".to_owned()));
        assert_eq!(
            wrong(r#"{"type":"used","uses":[],"times":1,"last":0}"#),
            ("wrong-type", "last".to_owned())
        );
    }

    #[test]
    fn what_is_read_is_written() {
        for json in [
            r#"{"type":"used","uses":[{"model":"a","x":[1]}],"sum":{"model":"b"},"times":3,"last":null}"#,
            r#"{"type":"used","uses":[],"times":-1,"last":false}"#,
            r#"{"type":"used","uses":[],"times":0}"#,
        ] {
            let event = Event::decode(json, 9).expect(json);
            assert_eq!(
                (event.to_data(), event.name(), Event::TYPES),
                (json.to_owned(), Some("used"), &["used"][..])
            );
            assert_eq!(event.to_sse(), format!("data: {json}\n\n"));
            let Event::Used { last, .. } = event else { panic!("{json}") };
            assert_eq!(matches!(last, Presence::Absent), !json.contains("last"));
        }
    }
}
