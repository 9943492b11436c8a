//! The snapshot has the same shape in `to_json`, in serde, and in the tables with which JavaScript
//! applies patches.

use agentwire::Reader;
use agentwire::ag_kit::{AgKit, MODEL};
use agentwire::json::{Raw, Value};
use agentwire::protocol::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Protocol, Sink};
use agentwire::read::{ReadOptions, StreamDecoder};

/// A sink that uses nothing but the tables.
struct Tables {
    schema: Value,
    nodes: Vec<Value>,
}

impl Tables {
    fn new() -> Self {
        let schema = Value::parse(&MODEL.patch_schema(), 8).unwrap();
        let mut tables = Tables { schema, nodes: Vec::new() };
        tables.nodes.push(tables.entry("templates", 0));
        tables
    }

    fn entry(&self, table: &str, at: u8) -> Value {
        match self.schema.get(table) {
            Some(Value::Array(items)) => items[at as usize].clone(),
            _ => panic!("no table {table}"),
        }
    }

    fn key(&self, key: Field) -> String {
        self.entry("keys", key.0).as_str().unwrap().to_owned()
    }

    /// The root, with its parts in it.
    fn turn(mut self) -> Value {
        let mut turn = self.nodes.remove(0);
        turn.insert("parts", Value::Array(self.nodes));
        turn
    }
}

impl Sink for Tables {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        assert_eq!((parent, self.key(list).as_str()), (0, "parts"));
        self.nodes.push(self.entry("templates", kind.0));
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let value = match value {
            FieldValue::Null => Value::Null,
            FieldValue::Bool(value) => value.into(),
            FieldValue::Int(number) => number.into(),
            FieldValue::Word(word) => self.entry("words", word),
            FieldValue::Str(text) => text.into(),
            FieldValue::Json(raw) => Value::parse(raw.as_str(), 128).unwrap(),
            FieldValue::Free(value) => Value::of(value),
            _ => panic!("a kind of value that this test does not know"),
        };
        let key = self.key(key);
        assert!(self.nodes[node as usize].get(&key).is_some(), "{key} is not in the template");
        self.nodes[node as usize].insert(&key, value);
    }

    fn append(&mut self, node: ObjectId, key: Field, text: &str) {
        let key = self.key(key);
        let before = self.nodes[node as usize].get(&key).and_then(Value::as_str).unwrap();
        let after = format!("{before}{text}");
        self.nodes[node as usize].insert(&key, after.into());
    }

    fn set_extra(&mut self, _: ObjectId, _: &str, _: Raw<'_>) {
        unreachable!()
    }

    fn change_in(&mut self, _: ObjectId, _: Field, _: &[&str], _: JsonChange<'_>) {
        unreachable!()
    }

    fn share(&mut self, _: ObjectId, _: Field, _: ObjectId, _: Field) {
        unreachable!()
    }

    fn move_last(&mut self, _: ObjectId, _: Field, _: ObjectId, _: usize) {
        unreachable!()
    }

    fn remove(&mut self, _: ObjectId, _: Field, _: ObjectId) {
        unreachable!()
    }

    fn arrange(&mut self, _: ObjectId, _: Field, _: &[ObjectId]) {
        unreachable!()
    }
}

#[test]
fn snapshot_json_serde_and_patch_tables_have_the_same_shape() {
    for case in agentwire_cases::select("ag-kit", agentwire_cases::Kind::Read) {
        let bytes = case.stream();
        let mut reader = Reader::new(AgKit::default());
        reader.push(&bytes);
        let snapshot = reader.finish().snapshot;

        let options = ReadOptions::default();
        let mut tables = Tables::new();
        let mut stream =
            StreamDecoder::new(AgKit::default().engine(&options, &mut tables), &options);
        bytes.chunks(11).for_each(|chunk| stream.push(chunk, &mut tables));
        stream.finish(&mut tables);
        assert_eq!(tables.turn().to_json(), snapshot.to_json(), "{case}");

        let ours: serde_json::Value = serde_json::from_str(&snapshot.to_json()).unwrap();
        assert_eq!(serde_json::to_value(&snapshot).unwrap(), ours, "{case}");
    }
}
