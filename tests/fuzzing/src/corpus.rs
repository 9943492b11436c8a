//! The recordings of `tests/corpus`.

use std::fs;
use std::path::{Path, PathBuf};

/// What the corpus has, in the order of the names of its cases.
#[derive(Debug)]
pub struct Corpus {
    /// Streams of the Agent API.
    pub agent_api: Vec<Vec<u8>>,
    /// Streams of AG-Kit, and those of AG-UI that stand beside them.
    pub ag_kit: Vec<Vec<u8>>,
    /// JSON of requests, and of what belongs to the cases (snapshots, violations, options).
    pub json: Vec<String>,
}

impl Corpus {
    /// Reads the corpus of this checkout.
    ///
    /// # Panics
    /// If it is not there.
    pub fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
        let streams = |protocol: &str| {
            let files = files_below(&folder.join(protocol));
            let streams = files.iter().filter(|file| file.ends_with("stream.sse"));
            streams.map(|file| fs::read(file).expect("a stream")).collect::<Vec<_>>()
        };
        let texts =
            files_below(&folder).into_iter().filter(|file| file.extension().is_some_and(|e| e == "json"));
        let corpus = Corpus {
            agent_api: streams("agent_api"),
            ag_kit: streams("ag_kit"),
            json: texts.filter_map(|file| fs::read_to_string(file).ok()).collect(),
        };
        assert!(corpus.agent_api.len() >= 80 && corpus.ag_kit.len() >= 55 && corpus.json.len() >= 100);
        corpus
    }

    /// The streams of all protocols.
    pub fn streams(&self) -> impl Iterator<Item = &[u8]> {
        self.agent_api.iter().chain(&self.ag_kit).map(Vec::as_slice)
    }
}

/// All files below a folder, sorted.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the corpus").flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}
