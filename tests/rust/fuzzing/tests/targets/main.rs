//! The fuzz targets without a fuzzer: the corpus and all findings, and inputs that proptest
//! generates from them.

mod mutation;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::{env, fs};

use agentwire_fuzzing::{Corpus, TARGETS, quiet, target};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

/// One module per target: its seeds and findings pass, and so do the given number of inputs
/// generated from them.
macro_rules! targets {
    ($($name:ident: $cases:literal,)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(mod $name {
            #[test]
            fn seeds_and_findings_pass() {
                super::replay(stringify!($name));
            }

            #[test]
            fn mutated_seeds_pass() {
                super::mutated(stringify!($name), $cases);
            }
        })*
    };
}

targets! {
    frames: 5000,
    messages: 3000,
    reading: 2000,
    converting: 2000,
    requests: 8000,
    documents: 8000,
    partial: 3000,
    building: 1500,
    turns: 8000,
}

#[test]
fn every_target_is_tested_and_has_a_fuzzer_file() {
    let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(NAMES, known);
    let entries = fs::read_dir(below("../../../fuzz/fuzz_targets")).expect("the fuzzer's targets");
    let mut files: Vec<_> =
        entries.flatten().map(|entry| entry.file_name().into_string().unwrap()).collect();
    let mut expected: Vec<_> = known.iter().map(|name| format!("{name}.rs")).collect();
    files.sort();
    expected.sort();
    assert_eq!(files, expected);
    for finding in
        fs::read_dir(below("../../data/findings")).expect("the folder of findings").flatten()
    {
        let name = finding.file_name().into_string().unwrap();
        assert!(
            !finding.path().is_dir() || known.contains(&name.as_str()),
            "no target is named {name}"
        );
    }
}

fn replay(name: &str) {
    let target = target(name);
    for (at, seed) in (target.seeds)(&Corpus::read()).iter().enumerate() {
        quiet::run(target.check, seed).unwrap_or_else(|said| panic!("seed {at} of {name}: {said}"));
    }
    for finding in
        fs::read_dir(below("../../data/findings").join(name)).into_iter().flatten().flatten()
    {
        let (input, path) = (fs::read(finding.path()).expect("a finding"), finding.path());
        quiet::run(target.check, &input)
            .unwrap_or_else(|said| panic!("{}: {said}", path.display()));
    }
}

fn mutated(name: &str, cases: u32) {
    let target = target(name);
    let seeds = (target.seeds)(&Corpus::read());
    // The same inputs every time, unless the environment sets others.
    let number =
        |name: &str| env::var(name).ok().map(|text| text.parse::<u32>().expect("a number"));
    let config = Config {
        cases: number("PROPTEST_CASES").unwrap_or(cases),
        rng_seed: RngSeed::Fixed(number("PROPTEST_RNG_SEED").unwrap_or(10).into()),
        failure_persistence: None,
        ..Config::default()
    };
    // The last one to fail is the smallest.
    let failed = RefCell::new(Vec::new());
    let result = TestRunner::new(config).run(&mutation::of(seeds), |input| {
        quiet::run(target.check, &input).map_err(|said| {
            *failed.borrow_mut() = input;
            TestCaseError::fail(said)
        })
    });
    if let Err(error) = result {
        let said = match error {
            TestError::Fail(said, _) | TestError::Abort(said) => said,
        };
        let input = failed.borrow();
        let kept = save(name, &input);
        panic!(
            "{said}\n{}\nThis is {}: once it is mended, it belongs into tests/data/findings/{name}",
            input.escape_ascii(),
            kept.display()
        );
    }
}

/// Writes an input that fails to where the fuzzer keeps its own.
fn save(name: &str, input: &[u8]) -> PathBuf {
    let folder = below("../../../target/fuzz/artifacts").join(name);
    let path = folder.join("proptest");
    fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input)).expect("target is writable");
    path
}

fn below(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
