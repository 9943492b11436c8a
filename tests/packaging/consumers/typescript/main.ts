import * as agentwire from "agentwire";
import * as slim from "agentwire/slim";
import module from "agentwire/agentwire.wasm";

const version: string = agentwire.version();
const done: Promise<void> = agentwire.init();
const same: Promise<void> = slim.init(module);
// @ts-expect-error slim has nothing to fall back on
slim.init();

export { version, done, same };
