// Adapter kit for memassay, in JavaScript for Node: copy this file, then make the three marked
// places yours.
//
// It speaks adapter protocol 1 (docs/protocol.md): one JSON object a line, requests on stdin, answers
// on stdout. Print nothing else to stdout, console.log included; stderr is free. Nothing but Node is
// needed.

// 1. Say who you are. `targets` are the client versions that your implementation follows.
const IMPLEMENTATION = {
  name: "my-memory-port",
  version: "0.0.0",
  language: "JavaScript",
  homepage: null,
  targets: ["2.1.296"],
};

let profile = "claude-code"; // `start` may name another; an op reads it where profiles differ

/** Throw this in an op to decline one request: `throw new Skip("why", "https://…/issues/1")`. */
class Skip extends Error {
  constructor(reason, issueUrl = null) {
    super(reason);
    this.issueUrl = issueUrl;
  }
}

// 2. Replace this example by a call of your own code. An op takes the `args` of a case and returns
//    its `result`, or a promise of it; the shapes are in spec/schema/ops/<op>.json, and
//    `memassay show CASE` prints one.
/** The directory name of a project path: rules KEY-1 and KEY-2. */
function projectKey({ path }) {
  const key = path.replace(/[^A-Za-z0-9]/g, "-"); // no `u` flag: an astral character is two units
  if (key.length <= 200) return { key };
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (hash * 31 + path.charCodeAt(i)) | 0;
  return { key: `${key.slice(0, 200)}-${Math.abs(hash).toString(36)}` };
}

// 3. List every op that you support. What you list you owe in full; what you leave out is counted
//    as not supported and never as wrong.
const OPS = {
  project_key: projectKey,
};

/** A wire value with every {"$bytes": base64} in it as a Buffer. */
function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (value === null || typeof value !== "object") return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "$bytes") return Buffer.from(value.$bytes, "base64");
  return Object.fromEntries(keys.map((key) => [key, decode(value[key])]));
}

/** Run one op; the body of the answer. */
async function answer(op, args) {
  if (!Object.hasOwn(OPS, op)) {
    return { error: { code: "unknown-op", message: `this adapter has no op ${op}` } };
  }
  try {
    return { result: await OPS[op](decode(args)) };
  } catch (error) {
    if (error instanceof Skip) {
      return { skipped: { reason: error.message, issue_url: error.issueUrl } };
    }
    console.error(error); // to stderr, shown beside the failure
    // Anything can be thrown, and a code can be a number; the answer is made of words.
    const { code, name = "Error", message = error } = Object(error);
    return { error: { code: String(code ?? name), message: String(message) } };
  }
}

/** Answer one message; false after `stop`. */
async function handle(message) {
  if (message.cmd === "stop") return false;
  let reply;
  if (message.cmd === "start") {
    profile = message.profile ?? profile;
    reply = { protocol: 1, implementation: IMPLEMENTATION, ops: Object.keys(OPS).sort() };
  } else {
    reply = { id: message.id, ...(await answer(message.op, message.args)) };
  }
  process.stdout.write(JSON.stringify(reply) + "\n"); // lone surrogates become `\udXXX`
  return true;
}

/** The lines of stdin. Not node:readline: it also breaks at U+2028, which JSON may contain. */
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

for await (const line of lines()) {
  if (!(await handle(JSON.parse(line)))) break;
}
process.stdin.destroy();
