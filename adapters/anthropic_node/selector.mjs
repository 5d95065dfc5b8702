// The selector once more, in another language and with another SDK: written from the chapter
// `selector`, not from the Python reference. It asks for whole answers where the reference streams.

const KEY = "selected_memories";
const TOOL = "select_memories";
const SENTENCE =
  "Call the select_memories tool exactly once with the JSON object you would otherwise return."; // SEL-6c
const SCHEMA = {
  type: "object",
  properties: { [KEY]: { type: "array", items: { type: "string" } } },
  required: [KEY],
  additionalProperties: false,
}; // SEL-1
const PROMPT = `Below is a catalog of notes, then a question. Answer with the names of up to five notes that help with it, best first, as {"${KEY}": [...]}; with an empty list if none does.`;
const TYPES = ["user", "feedback", "project", "reference"];
const MOST_NAMES = 5; // SEL-2b
const MOST_TOKENS = 512; // SEL-2a
const CACHED = { cache_control: { type: "ephemeral" } }; // SEL-8a

export const starts = (query) => /\s/.test(query.trim()); // SEL-4

/** The names in an answer that fits the schema, else null (SEL-5b). */
export function fitting(value) {
  const object = value !== null && typeof value === "object" && !Array.isArray(value);
  if (!object || Object.keys(value).join() !== KEY || !Array.isArray(value[KEY])) return null;
  return value[KEY].every((name) => typeof name === "string") ? value[KEY] : null;
}

export function parse(text) {
  try {
    return fitting(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
}

/** Candidates that are named, each once, at most five (SEL-2b, SEL-3, SEL-7b, SEL-8f). */
export function choose(names, candidates, used) {
  const known = new Set(candidates);
  const taken = new Set();
  for (const name of names) {
    const bare = name.replace(new RegExp(`^\\[(${TYPES.join("|")})\\] `), "");
    const file = known.has(name) ? name : bare;
    if (known.has(file) && !used.has(file)) taken.add(file);
    if (taken.size === MOST_NAMES) break;
  }
  return [...taken];
}

function line({ path, description, type, mtime_ms }) {
  const prefix = TYPES.includes(type) ? `[${type}] ` : "";
  const time = new Date(mtime_ms).toISOString();
  return `- ${prefix}${path} (${time})${description ? `: ${description}` : ""}`; // MAN-1
}

/** A selector with its history on one branch. */
export class Selector {
  constructor(client, { model, native = true, session_id }) {
    Object.assign(this, { client, model, native, session: session_id });
    this.history = [];
    this.chosen = new Set();
  }

  request(query, topics, native) {
    const said = (role, text) => ({ role, content: [{ type: "text", text }] });
    const messages = this.history.flatMap(([asked, names]) => [
      said("user", asked),
      said("assistant", JSON.stringify({ [KEY]: names })),
    ]); // SEL-7a
    messages.push(said("user", query));
    messages[0].content.unshift({ type: "text", text: topics.map(line).join("\n"), ...CACHED });
    const shape = native
      ? { output_config: { format: { type: "json_schema", schema: SCHEMA } } }
      : {
          tools: [{ name: TOOL, description: "Takes the names.", input_schema: SCHEMA }],
          tool_choice: { type: "tool", name: TOOL },
        };
    return {
      model: this.model, // SEL-6d
      max_tokens: MOST_TOKENS,
      metadata: { user_id: this.session }, // SEL-8b
      system: [{ type: "text", text: native ? PROMPT : `${PROMPT} ${SENTENCE}`, ...CACHED }],
      messages,
      ...shape,
    };
  }

  async select({ query, topics, read = [], abort_after_ms }) {
    const outcome = (files, warning, started = true) => ({ started, files, warning });
    if (!starts(query)) return outcome([], false, false);
    const signal = abort_after_ms === undefined ? undefined : AbortSignal.timeout(abort_after_ms);
    const ask = (native) =>
      this.client.messages.create(this.request(query, topics, native), { signal });
    let native = this.native;
    let answer;
    try {
      answer = await ask(native).catch((error) => {
        if (!native || error.status !== 400) throw error;
        native = false; // SEL-6b
        return ask(native);
      });
    } catch {
      return outcome([], !signal?.aborted); // SEL-5a, SEL-5c
    }
    const names = answer.stop_reason === "max_tokens" ? null : namesOf(answer, native);
    if (names === null) return outcome([], true); // SEL-5b, SEL-6a
    this.native = native;
    const files = choose(
      names,
      topics.map((topic) => topic.path),
      new Set([...this.chosen, ...read]),
    );
    this.history.push([query, names]);
    files.forEach((file) => this.chosen.add(file));
    return outcome(files, false);
  }
}

function namesOf(answer, native) {
  const blocks = answer.content ?? [];
  if (!native) return fitting(blocks.find((block) => block.name === TOOL)?.input ?? null);
  const texts = blocks.filter((block) => block.type === "text").map((block) => block.text);
  return parse(texts.join(""));
}
