#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| (agentwire_fuzzing::target("messages").check)(input));
