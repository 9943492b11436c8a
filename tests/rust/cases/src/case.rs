//! Opens one case and lists all cases.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The kind of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A stream, and the expected result of reading it.
    Read,
    /// A stream, and the events that it is framed into, before any protocol.
    Frames,
    /// A request, and the result of a real server.
    Request,
    /// Calls of a real builder, and their results.
    Build,
    /// Calls on a real message that grows, and their results.
    Accumulate,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] =
        [Kind::Read, Kind::Frames, Kind::Request, Kind::Build, Kind::Accumulate];

    /// Returns the name in `case.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Frames => "frames",
            Kind::Request => "request",
            Kind::Build => "build",
            Kind::Accumulate => "accumulate",
        }
    }
}

/// A folder of the corpus. As text it is its path, for the messages of tests.
#[derive(Clone, Debug)]
pub struct Case {
    /// The protocol, which is also the name of the folder that the case is in.
    pub protocol: String,
    /// The kind.
    pub kind: Kind,
    /// The name of its folder.
    pub name: String,
    /// `case.json`.
    pub about: Value,
    folder: PathBuf,
}

impl Case {
    /// Returns the bytes of `stream.sse`, or of `stream.bin` where they are not text.
    ///
    /// # Panics
    /// If it has no stream.
    pub fn stream(&self) -> Vec<u8> {
        let file = if self.is_binary() { "stream.bin" } else { "stream.sse" };
        fs::read(self.path(file)).unwrap_or_else(|error| panic!("{self}/{file}: {error}"))
    }

    /// Returns whether the stream consists of frames of bytes, and not of text.
    pub fn is_binary(&self) -> bool {
        self.path("stream.bin").exists()
    }

    /// Returns the text of a file of the case.
    ///
    /// # Panics
    /// If the file does not exist.
    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{self}/{file}: {error}"))
    }

    /// Returns the text of a file that not every case has.
    pub fn find(&self, file: &str) -> Option<String> {
        self.path(file).exists().then(|| self.text(file))
    }

    /// Returns the path of a file of the case, which may not exist.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Returns the options of the reader, in the form of the package's `Decoder`: an object, which
    /// may be empty.
    pub fn options(&self) -> serde_json::Map<String, Value> {
        self.about["options"].as_object().cloned().unwrap_or_default()
    }

    /// Returns the end reason in the report.
    ///
    /// # Panics
    /// If the case does not have one.
    pub fn ended(&self) -> &str {
        self.about["ended"].as_str().unwrap_or_else(|| panic!("{self}/case.json: no `ended`"))
    }

    /// Returns the protocol that the stream's events show. It is another one where a server sends
    /// events of another protocol.
    pub fn detected(&self) -> &str {
        self.about["detected"].as_str().unwrap_or(&self.protocol)
    }

    /// Returns whether its bytes are those of a real server.
    pub fn is_recorded(&self) -> bool {
        self.about["provenance"]["origin"] == "recorded"
    }

    fn open(protocol: &str, folder: PathBuf) -> Result<Self, String> {
        let about = folder.join("case.json");
        let text =
            fs::read_to_string(&about).map_err(|error| format!("{}: {error}", about.display()))?;
        let about: Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", about.display()))?;
        let name = file_name(&folder);
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| about["kind"] == kind.as_str())
            .ok_or_else(|| format!("{}: no kind {}", folder.display(), about["kind"]))?;
        Ok(Case { protocol: protocol.to_owned(), kind, name, about, folder })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "tests/data/corpus/{}/{}", self.protocol, self.name)
    }
}

/// Returns every case, ordered by protocol and name.
///
/// # Panics
/// If a folder is not a case, or the corpus has fewer cases than `LEAST`.
pub fn all() -> Vec<Case> {
    let cases: Vec<Case> = folders(&root())
        .into_iter()
        .flat_map(|protocol| {
            let name = file_name(&protocol);
            folders(&protocol).into_iter().map(move |folder| Case::open(&name, folder))
        })
        .map(|case| case.unwrap_or_else(|why| panic!("{why}")))
        .collect();
    assert!(cases.len() >= LEAST, "{} cases", cases.len());
    cases
}

/// The minimum number of cases, so that a test does not pass because the corpus was not found.
const LEAST: usize = 300;

/// Returns the streams to read, of all protocols.
///
/// # Panics
/// As [`all`] does.
pub fn reads() -> Vec<Case> {
    all().into_iter().filter(|case| case.kind == Kind::Read).collect()
}

/// Returns the cases of a protocol that have this kind.
///
/// # Panics
/// As [`all`] does, and if the result is empty.
pub fn select(protocol: &str, kind: Kind) -> Vec<Case> {
    let wanted = |case: &Case| case.protocol == protocol && case.kind == kind;
    let cases: Vec<Case> = all().into_iter().filter(wanted).collect();
    assert!(!cases.is_empty(), "no cases of {protocol} of the kind {}", kind.as_str());
    cases
}

/// Returns the case in this folder of a protocol.
///
/// # Panics
/// If the case does not exist.
pub fn one(protocol: &str, name: &str) -> Case {
    Case::open(protocol, root().join(protocol).join(name)).unwrap_or_else(|why| panic!("{why}"))
}

pub(crate) fn root() -> PathBuf {
    path("tests/data/corpus")
}

/// Returns the path of a file or folder of the repository. Tests start in the folder of their
/// package.
pub fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(relative)
}

/// Returns the folders in a folder, by name.
fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).unwrap_or_else(|error| panic!("{}: {error}", of.display()));
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn file_name(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned()
}
