//! The guest: the measured code, in an interpreter that counts instructions.

use wasmi::{Config, CustomFuelCosts, Engine, Linker, Module, Store, TypedFunc};

/// The maximum number of instructions of a call.
const MOST: u64 = 20_000_000_000;

/// How many bytes an instruction that copies many moves for the cost of one other instruction: as
/// many as a loop over words. The interpreter's own number, 64, would hide a list whose elements
/// move at each insertion.
const BYTES_COPIED: u32 = 4;

/// The module that reads and converts.
pub struct Guest {
    engine: Engine,
    module: Module,
}

/// The cost of one call: its instructions and its output.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub instructions: u64,
    pub written: u64,
}

/// The measured operation on a stream.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    Read,
    Patches,
    Compact,
    /// Converts to the protocol of that number.
    Convert(u32),
}

impl Guest {
    pub fn new(module: &[u8]) -> Self {
        let mut config = Config::default();
        config.consume_fuel(true);
        config.fuel_cost(CustomFuelCosts {
            bytes_copied_per_fuel: BYTES_COPIED,
            fuel_per_bytes_translated: 0,
            fuel_per_bytes_validated: 0,
        });
        let engine = Engine::new(&config);
        let module = Module::new(&engine, module).expect("the guest is a module of wasm");
        Guest { engine, module }
    }

    /// Runs an operation on a stream of that protocol. `None` if it needs too many instructions, or
    /// traps.
    pub fn cost(&self, work: Work, protocol: u32, stream: &[u8]) -> Option<Cost> {
        let mut store = Store::new(&self.engine, ());
        store.set_fuel(MOST).expect("fuel is enabled");
        let instance = Linker::new(&self.engine)
            .instantiate_and_start(&mut store, &self.module)
            .expect("the guest imports nothing");
        let input: TypedFunc<u32, u32> = instance.get_typed_func(&store, "input").expect("export");
        let at = input.call(&mut store, stream.len() as u32).ok()?;
        let memory = instance.get_memory(&store, "memory").expect("export");
        memory.write(&mut store, at as usize, stream).expect("the guest has allocated the input");
        let before = store.get_fuel().expect("fuel is enabled");
        let written = match work {
            Work::Read => {
                instance.get_typed_func(&store, "read").expect("export").call(&mut store, protocol)
            }
            Work::Patches => instance
                .get_typed_func(&store, "patches")
                .expect("export")
                .call(&mut store, protocol),
            Work::Compact => {
                instance.get_typed_func(&store, "compact").expect("export").call(&mut store, ())
            }
            Work::Convert(to) => instance
                .get_typed_func(&store, "convert")
                .expect("export")
                .call(&mut store, (protocol, to)),
        };
        let instructions = before - store.get_fuel().expect("fuel is enabled");
        written.ok().map(|written| Cost { instructions, written })
    }
}
