// A second client for the same cassettes: node adapter.mjs --sdk DIR
//
// DIR is where `npm install @anthropic-ai/sdk` was run. See README.md.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { Selector, choose, parse, starts } from "./selector.mjs";

const SDK = "@anthropic-ai/sdk";

function refuse(message, code = 1) {
  console.error(message);
  process.exit(code);
}

function directory() {
  try {
    const { values } = parseArgs({ options: { sdk: { type: "string" } } });
    if (values.sdk !== undefined) return resolve(values.sdk);
  } catch (error) {
    console.error(error.message);
  }
  return refuse("usage: node adapter.mjs --sdk DIR (where `npm install` put the SDK)", 2);
}

async function sdk(where) {
  try {
    const require = createRequire(join(where, "package.json"));
    const manifest = readFileSync(join(where, "node_modules", SDK, "package.json"), "utf8");
    const { default: Anthropic } = require(SDK);
    return { Anthropic, version: JSON.parse(manifest).version };
  } catch (error) {
    return refuse(`${SDK} is not in ${where}: run \`npm install ${SDK}\` there (${error.code})`);
  }
}

const { Anthropic, version } = await sdk(directory());

async function selector({ base_url, api_key, turns, ...session }) {
  // The rules say how often to ask (SEL-6), so the SDK may not try again on its own.
  const client = new Anthropic({ baseURL: base_url, apiKey: api_key, maxRetries: 0 });
  const one = new Selector(client, session);
  const answers = [];
  for (const turn of turns) answers.push(await one.select(turn));
  return { turns: answers };
}

function selectorAnswer({ text, stop, candidates, chosen = [], read = [] }) {
  const names = stop === "max_tokens" ? null : parse(text);
  if (names === null) return { files: [], warning: true };
  return { files: choose(names, candidates, new Set([...chosen, ...read])), warning: false };
}

const OPS = {
  selector,
  selector_answer: selectorAnswer,
  selector_starts: ({ query }) => ({ starts: starts(query) }),
};

async function answer(op, args) {
  if (!Object.hasOwn(OPS, op)) {
    return { error: { code: "unknown-op", message: `this adapter has no op ${op}` } };
  }
  try {
    return { result: await OPS[op](args) };
  } catch (error) {
    console.error(error);
    return { error: { code: String(error.code ?? error.name), message: String(error.message) } };
  }
}

function say(reply) {
  process.stdout.write(JSON.stringify(reply) + "\n");
}

/** Take one message; false after `stop`. Requests run side by side, and answers come as they may. */
function handle(message) {
  if (message.cmd === "stop") return false;
  if (message.cmd === "start") {
    const implementation = {
      name: "anthropic-node",
      version,
      language: "JavaScript",
      homepage: null,
      targets: ["2.1.296"],
    };
    say({ protocol: 1, implementation, ops: Object.keys(OPS).sort() });
  } else {
    answer(message.op, message.args).then((body) => say({ id: message.id, ...body }));
  }
  return true;
}

let rest = [];
for await (const chunk of process.stdin) {
  let start = 0;
  for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
    rest.push(chunk.subarray(start, end));
    const message = JSON.parse(Buffer.concat(rest).toString("utf8"));
    rest = [];
    if (!handle(message)) process.exit(0);
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
}
