//! Lists in requests: one function each reads, writes and checks lists of any items.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, Typed, View};
use super::table::Shape;
use super::{Diagnostics, Fault};
use crate::json::{Value, write_list};

/// A list of any items.
trait List {
    /// Adds an item.
    fn add(&mut self) -> Option<&mut dyn Field>;

    fn item(&self, at: usize) -> Option<&dyn Field>;
}

impl<T: Typed> List for Vec<T> {
    fn add(&mut self) -> Option<&mut dyn Field> {
        self.push(T::blank());
        self.last_mut().map(|item| item as &mut dyn Field)
    }

    fn item(&self, at: usize) -> Option<&dyn Field> {
        self.get(at).map(|item| item as &dyn Field)
    }
}

impl dyn List + '_ {
    fn items(&self) -> impl Iterator<Item = &dyn Field> {
        (0..).map_while(|at| self.item(at))
    }

    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        let Value::Array(items) = value else {
            return diagnostics.note(Fault::ListType, &value);
        };
        for (at, value) in items.into_iter().enumerate() {
            if let Some(item) = self.add() {
                diagnostics.inside(at, |diagnostics| item.read(value, diagnostics));
            }
        }
    }

    fn write(&self, out: &mut String, compact: bool) {
        write_list(self.items(), out, |item, out| item.write(out, compact));
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        for (at, item) in self.items().enumerate() {
            diagnostics.inside(at, |diagnostics| item.check(diagnostics));
        }
    }
}

impl<T: Typed> Field for Vec<T> {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        (self as &mut dyn List).read(value, diagnostics);
    }

    fn view(&self) -> View<'_> {
        View::List(self.len())
    }

    fn write(&self, out: &mut String, compact: bool) {
        (self as &dyn List).write(out, compact);
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        (self as &dyn List).check(diagnostics);
    }
}

impl<T: Typed> Typed for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);

    fn blank() -> Self {
        Vec::new()
    }
}
