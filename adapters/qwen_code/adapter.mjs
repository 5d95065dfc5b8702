// Adapter for the published port: node adapter.mjs --package DIR, where install.mjs made DIR.
//
// Speaks adapter protocol 1 (docs/protocol.md). One request is answered after the other, because an
// op may change the clock, the working directory or the environment that the port sees.

import { Bundle, BundleError } from "./bundle.mjs";
import { PackageError, readPackage } from "./package.mjs";
import { Port, Skip } from "./port.mjs";

/** What the adapter says about itself: all of it from the package's own manifest. */
function implementation(manifest) {
  return {
    name: manifest.name,
    version: manifest.version,
    language: "TypeScript",
    homepage: manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, ""),
    targets: [], // the port names no version of the client
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
    if (error instanceof BundleError) throw error; // ours, never an answer of the port
    if (error instanceof Skip) return { skipped: { reason: error.message } };
    return { error: { code: String(error.code ?? error.name), message: String(error.message) } };
  }
}

/** The lines of stdin, which end at LF and nowhere else. */
async function* lines() {
  let parts = [];
  for await (const chunk of process.stdin) {
    let start = 0;
    for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString("utf8");
      parts = [];
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

async function serve(directory) {
  const { manifest, bundle } = readPackage(directory);
  const { ops } = new Port(new Bundle(bundle));
  for await (const line of lines()) {
    const message = JSON.parse(line);
    if (message.cmd === "stop") break;
    const reply =
      message.cmd === "start"
        ? { protocol: 1, implementation: implementation(manifest), ops: Object.keys(ops).sort() }
        : { id: message.id, ...(await answer(ops, message.op, message.args)) };
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}

const [flag, directory, ...rest] = process.argv.slice(2);
if (flag !== "--package" || directory === undefined || rest.length > 0) {
  console.error("usage: node adapter.mjs --package DIR   (made by: node install.mjs DIR)");
  process.exit(2);
}
for (const name of Object.keys(process.env)) if (name.startsWith("QWEN_")) delete process.env[name];
try {
  await serve(directory);
  process.stdin.destroy();
} catch (error) {
  if (!(error instanceof PackageError || error instanceof BundleError)) throw error;
  console.error(`qwen_code adapter: ${error.message}`);
  process.exit(1);
}
