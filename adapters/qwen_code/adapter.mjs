// Adapter for the published port: node adapter.mjs --package DIR, where install.mjs made DIR.
//
// Speaks adapter protocol 1 (docs/protocol.md). One request is answered after the other, because an
// op may change the clock, the working directory or the environment that the port sees. The port's
// code runs in a process of its own, so that it may hang without taking the adapter with it.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));

/** How long the port may take for one request; less than the examiner allows an adapter. */
const LIMIT_MS = 4000;

/** The port in its process, started when first asked and again after it had to be ended. */
class Worker {
  #directory;
  #process = null;

  constructor(directory) {
    this.#directory = directory;
  }

  /** The worker's answer to one message, or null if it took too long and was ended. */
  ask(message, limitMs) {
    this.#process ??= fork(WORKER, [this.#directory], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const worker = this.#process;
    return new Promise((resolve) => {
      const late = limitMs && setTimeout(() => this.#end(resolve), limitMs);
      const exited = (code) => process.exit(code || 1); // it has said why on stderr
      worker.once("exit", exited);
      worker.once("message", (answer) => {
        clearTimeout(late);
        worker.off("exit", exited);
        resolve(answer);
      });
      worker.send(message);
    });
  }

  end() {
    this.#end(() => {});
  }

  #end(then) {
    this.#process?.removeAllListeners();
    this.#process?.kill("SIGKILL");
    this.#process = null;
    then(null);
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

const HUNG = {
  error: { code: "hung", message: `the port did not return within ${LIMIT_MS / 1000} s` },
};

const [flag, directory, ...rest] = process.argv.slice(2);
if (flag !== "--package" || directory === undefined || rest.length > 0) {
  console.error("usage: node adapter.mjs --package DIR   (made by: node install.mjs DIR)");
  process.exit(2);
}
const worker = new Worker(directory);
for await (const line of lines()) {
  const { cmd, id, op, args } = JSON.parse(line);
  if (cmd === "stop") break;
  const introduction = await worker.ask(null); // may start the process, which takes its time
  const reply =
    cmd === "start"
      ? { protocol: 1, ...introduction }
      : { id, ...((await worker.ask({ op, args }, LIMIT_MS)) ?? HUNG) };
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
worker.end();
process.stdin.destroy();
