// Puts requests to a bundle's Port: node ask.mjs BUNDLE < {"op", "args"} a line > the answers
import { readFileSync } from "node:fs";

import { Bundle } from "../../../adapters/qwen_code/bundle.mjs";
import { Port } from "../../../adapters/qwen_code/port.mjs";

const { ops } = new Port(new Bundle(readFileSync(process.argv[2], "utf8")));
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { op, args } = JSON.parse(line);
  if (args.bytes) args.content = Buffer.from(args.bytes, "base64");
  try {
    console.log(JSON.stringify(await ops[op](args)));
  } catch (error) {
    console.log(JSON.stringify({ thrown: error.constructor.name, message: error.message }));
  }
}
