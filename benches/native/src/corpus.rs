//! The corpora that `benches/corpus_files.mjs` writes.

use std::fs;
use std::path::Path;

/// Returns chunks of their own memory, as a network reader returns them.
pub fn chunks(folder: &Path, corpus: &str, chunking: &str) -> Result<Vec<Vec<u8>>, String> {
    let bytes = read(&folder.join(format!("{corpus}.sse")))?;
    let lengths = read(&folder.join(format!("{corpus}.{chunking}.u32")))?;
    let mut rest = bytes.as_slice();
    let mut chunks = Vec::new();
    for length in lengths.chunks_exact(4) {
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let (chunk, tail) =
            rest.split_at_checked(length).ok_or("the lengths are not those of the corpus")?;
        chunks.push(chunk.to_vec());
        rest = tail;
    }
    Ok(chunks)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| {
        format!("{}: {error}; start this by `node benches/run.mjs`", path.display())
    })
}
