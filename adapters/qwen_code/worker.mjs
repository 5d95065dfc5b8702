// The process in which the port's code runs: started and, when the code hangs, ended by adapter.mjs.
// Receives {op, args} and sends the body of the answer, one after the other; `null` asks who it is.

import { Bundle, BundleError } from "./bundle.mjs";
import { PackageError, readPackage } from "./package.mjs";
import { Port, Skip } from "./port.mjs";

/** What the adapter says about itself: all of it from the package's own manifest. */
function introduction({ name, version, repository }, ops) {
  const homepage = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  return {
    implementation: { name, version, language: "TypeScript", homepage, targets: [] },
    ops: Object.keys(ops).sort(),
  };
}

/** A wire value with every {"$bytes": base64} in it as a Buffer. */
function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (value === null || typeof value !== "object") return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "$bytes") return Buffer.from(value.$bytes, "base64");
  return Object.fromEntries(keys.map((key) => [key, decode(value[key])]));
}

/** Run one op; the body of the answer. */
async function answer(ops, op, args) {
  if (!Object.hasOwn(ops, op)) return { error: { code: "unknown-op", message: `no op ${op}` } };
  try {
    return { result: await ops[op](decode(args)) };
  } catch (error) {
    if (error instanceof BundleError) fail(error); // ours, never an answer of the port
    if (error instanceof Skip) return { skipped: { reason: error.message } };
    const { code, name = "Error", message = error } = Object(error); // theirs may throw anything
    return { error: { code: String(code ?? name), message: String(message) } };
  }
}

function fail(error) {
  if (!(error instanceof PackageError || error instanceof BundleError)) throw error;
  console.error(`qwen_code adapter: ${error.message}`);
  process.exit(1);
}

for (const name of Object.keys(process.env)) if (name.startsWith("QWEN_")) delete process.env[name];
try {
  const { manifest, bundle } = readPackage(process.argv[2]);
  const { ops } = new Port(new Bundle(bundle));
  process.on("message", async (request) => {
    process.send(
      request === null ? introduction(manifest, ops) : await answer(ops, request.op, request.args),
    );
  });
} catch (error) {
  fail(error);
}
