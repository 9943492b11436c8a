//! The recordings of `tests/data/corpus`.

use std::fs;

use agentwire_cases::{Kind, all};

use crate::items::{ITEMS, head};

/// The corpus, in the order of the names of its cases.
#[derive(Debug)]
pub struct Corpus {
    /// The name of each protocol that is read, and its streams.
    pub protocols: Vec<(String, Vec<Vec<u8>>)>,
    /// The streams of binary frames.
    pub binary: Vec<Vec<u8>>,
    /// JSON of requests and of the other files of the cases.
    pub json: Vec<String>,
}

impl Corpus {
    /// Reads the corpus of this checkout.
    ///
    /// # Panics
    /// If it does not exist.
    pub fn read() -> Self {
        let mut corpus = Corpus { protocols: Vec::new(), binary: Vec::new(), json: Vec::new() };
        for case in all() {
            if case.kind == Kind::Read && case.is_binary() {
                corpus.binary.push(case.stream());
            } else if case.kind == Kind::Read {
                match corpus.protocols.last_mut() {
                    Some((protocol, streams)) if *protocol == case.protocol => {
                        streams.push(case.stream())
                    }
                    _ => corpus.protocols.push((case.protocol.clone(), vec![case.stream()])),
                }
            }
            let entries = fs::read_dir(case.path("")).expect("the folder of a case").flatten();
            let mut files: Vec<_> =
                entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            files.sort();
            corpus.json.extend(
                files.iter().filter(|file| file.ends_with(".json")).map(|file| case.text(file)),
            );
        }
        let responses = corpus.protocols.iter_mut().find(|(protocol, _)| protocol == "responses");
        responses.into_iter().for_each(|(_, streams)| streams.extend(ITEMS.iter().map(with_item)));
        corpus
    }

    /// The streams of all protocols.
    pub fn streams(&self) -> impl Iterator<Item = &[u8]> {
        self.protocols.iter().flat_map(|(_, streams)| streams).map(Vec::as_slice)
    }
}

/// A response with that item, which is added, changed and done.
fn with_item((item, event): &(&str, &str)) -> Vec<u8> {
    let (head, added) = head(item);
    let done = added.replace("output_item.added", "output_item.done");
    let completed = format!(
        r#"{{"type":"response.completed","response":{{"id":"r","object":"response","status":"completed","output":[{item}]}}}}"#
    );
    format!("{head}data: {{\"output_index\":0,\"item_id\":\"i\",{event}}}\n\ndata: {done}\n\ndata: {completed}\n\n").into_bytes()
}
