// Evaluates an expression over a linked bundle: node link.mjs BUNDLE < expression of `b`, `replace`
import { readFileSync } from "node:fs";

import { Bundle } from "../../../adapters/qwen_code/bundle.mjs";

const b = new Bundle(readFileSync(process.argv[2], "utf8"));
const expression = readFileSync(0, "utf8");
try {
  const value = await new Function("b", `return (async () => (${expression}))()`)(b);
  console.log(JSON.stringify({ value }));
} catch (error) {
  console.log(JSON.stringify({ error: error.name, message: error.message }));
}
