// Our ops, answered by the port's own functions.
//
// Each op below names the functions of the port that answer it. What stands here is only the way
// from our arguments to theirs and from their answer to ours; README.md tells it op by op.

import { statSync } from "node:fs";
import { dirname } from "node:path";

// How the port appends: a blank line, then one line of its own.
const INDEX_WARNING = /\n\n(> WARNING: MEMORY\.md is [^\n]*)$/;
const RECALL_NOTE = "\n\n> NOTE: ";

/** Thrown to decline one request, with the reason. */
export class Skip extends Error {}

/** The port's memory functions, linked from its bundle, with a clock that can be set. */
export class Port {
  #bundle;
  #now = null; // ms since the epoch while an op sets the clock
  #rooted = null; // the project root that the port last made a key of

  /** Link everything that an op needs. Throws BundleError for what the bundle does not have. */
  constructor(bundle) {
    this.#bundle = bundle;
    const clock = () => this.#now;
    bundle.replace(
      "Date",
      class extends Date {
        constructor(...parts) {
          super(...(parts.length === 0 && clock() !== null ? [clock()] : parts));
        }
        static now() {
          return clock() ?? Date.now();
        }
      },
    );
    // The outside world of a session, which is not memory: other instruction files, telemetry.
    bundle.replace("loadServerHierarchicalMemory", async () => ({
      memoryContent: "",
      fileCount: 0,
      conditionalRules: [],
      projectRoot: "",
    }));
    bundle.replace("logFileOperation", () => {});
    const sanitizeCwd = bundle.get("sanitizeCwd");
    bundle.replace("sanitizeCwd", (root) => {
      this.#rooted = root;
      return sanitizeCwd(root);
    });
    for (const name of NEEDED) bundle.get(name);
  }

  /** The ops that the port has a function for. */
  ops = {
    project_key: ({ path }) => ({ key: this.#call("sanitizeCwd", path) }),
    project_root: (args) => this.#projectRoot(args),
    index_window: ({ text }) =>
      this.#splitPrompt(this.#call("appendManagedAutoMemoryToUserMemory", "", "D", text), "D"),
    index_read: (args) => this.#indexRead(args),
    topics_header: (args) => this.#header(args),
    topics_scan: (args) => this.#scan(args),
    topics_manifest: (args) => this.#manifest(args),
    recall_window: (args) => this.#recallWindow(args),
    staleness: (args) =>
      this.#at(args.now_ms, () => ({
        days: daysOf(this.#call("memoryFreshnessText", args.mtime_ms)),
      })),
    staleness_read: (args) => this.#at(args.now_ms, () => this.#stalenessRead(args)),
  };

  #call(name, ...args) {
    return this.#bundle.get(name)(...args);
  }

  async #at(nowMs, action) {
    this.#now = nowMs;
    try {
      return await action();
    } finally {
      this.#now = null;
    }
  }

  /** A project root whose memory directory is `memoryDir`: told through the port's own cache. */
  #projectOf(memoryDir) {
    const project = dirname(memoryDir);
    this.#bundle.get("_autoMemoryRootCache").set(project, memoryDir);
    return project;
  }

  /** The root that getAutoMemoryRoot makes a key of, for a session started in `cwd`. */
  #projectRoot({ cwd, env = {} }) {
    const home = process.cwd();
    const before = { ...process.env };
    try {
      process.chdir(cwd); // the port asks process.cwd(), which has no symbolic links
      Object.assign(process.env, env);
      this.#call("clearAutoMemoryRootCache");
      this.#call("getAutoMemoryRoot", process.cwd());
      return { root: this.#rooted };
    } finally {
      process.chdir(home);
      for (const name of Object.keys(env)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }

  /** What of the index a prompt holds: the end of it, after the heading that names the index. */
  #splitPrompt(prompt, memoryDir) {
    const heading = `\n## ${memoryDir}/MEMORY.md\n\n`;
    const section = (whole) => whole.slice(whole.indexOf(heading) + heading.length);
    const shown = section(prompt);
    const none = section(this.#call("appendManagedAutoMemoryToUserMemory", "", memoryDir, null));
    if (shown === none) return { kept: "", warning: null }; // its sentence for an empty index
    const warning = INDEX_WARNING.exec(shown);
    if (warning === null) return { kept: shown, warning: null };
    return { kept: shown.slice(0, warning.index), warning: warning[1] };
  }

  /** A session's start: Config.refreshHierarchicalMemory, and what it hands to the prompt. */
  async #indexRead({ memory_dir: memoryDir, enabled = true }) {
    const project = this.#projectOf(memoryDir);
    let prompt = null;
    await this.#bundle.get("Config").prototype.refreshHierarchicalMemory.call({
      getManagedAutoMemoryEnabled: () => enabled,
      getProjectRoot: () => project,
      getWorkingDir: () => project,
      getMemoryDiscoveryDirectories: () => [],
      getFileService: () => null,
      getExtensionContextFilePaths: () => [],
      isTrustedFolder: () => true,
      getImportFormat: () => "tree",
      getBareMode: () => false,
      setGeminiMdFileCount: () => {},
      setUserMemory: (text) => {
        prompt = text;
      },
      memoryManager: this.#bundle.get("MemoryManager").prototype,
    });
    return enabled ? this.#splitPrompt(prompt, memoryDir) : { kept: prompt, warning: null };
  }

  #parse(content, mtimeMs) {
    const text = typeof content === "string" ? content : content.toString("utf8");
    return { text, topic: this.#call("parseAutoMemoryTopicDocument", "topic.md", text, mtimeMs) };
  }

  #header({ content, mtime_ms: mtimeMs }) {
    const { topic } = this.#parse(content, mtimeMs);
    if (topic === null) return { description: null, type: null, modified_ms: mtimeMs };
    return { description: topic.description || null, type: topic.type, modified_ms: topic.mtimeMs };
  }

  async #scan({ memory_dir: memoryDir }) {
    const topics = await this.#call("scanAutoMemoryTopicDocuments", this.#projectOf(memoryDir));
    return {
      topics: topics.map((topic) => ({
        path: topic.relativePath,
        description: topic.description || null,
        type: topic.type,
        mtime_ms: Math.floor(topic.mtimeMs),
        modified_ms: Math.floor(topic.mtimeMs), // the port knows no `modified` key
      })),
    };
  }

  #manifest({ topics }) {
    if (topics.some((topic) => topic.type === null)) {
      throw new Skip(
        "the port drops a file without a known type when it scans, so its manifest never has one",
      );
    }
    const text = this.#call(
      "formatMemoryManifest",
      topics.map((topic) => ({
        relativePath: topic.path,
        description: topic.description ?? "",
        type: topic.type,
        mtimeMs: topic.mtime_ms,
      })),
    );
    return { lines: text === "" ? [] : text.split("\n") };
  }

  #recallWindow({ content }) {
    const { text, topic } = this.#parse(content, 0);
    const body = topic === null ? text : topic.body;
    const shown = this.#call("truncateBody", body);
    if (shown === this.#call("normalizeBody", body)) return { text: shown, cut: false, note: null };
    const at = shown.lastIndexOf(RECALL_NOTE);
    return { text: shown.slice(0, at), cut: true, note: shown.slice(at + 2) };
  }

  /** The port's read tool on one file, and whether its reminder is there and comes first. */
  async #stalenessRead({ memory_dir: memoryDir, file, enabled = true, offset, limit }) {
    const project = this.#projectOf(memoryDir);
    const files = new (this.#bundle.get("StandardFileSystemService"))();
    const config = {
      getTargetDir: () => project,
      getManagedAutoMemoryEnabled: () => enabled,
      getFileReadCacheDisabled: () => true,
      getFileReadCache: () => null,
      getFileService: () => ({ shouldQwenIgnoreFile: () => false }),
      getContentGeneratorConfig: () => ({ modalities: { image: true, pdf: true } }),
      getFileSystemService: () => files,
      getTruncateToolOutputLines: () => this.#bundle.get("DEFAULT_TRUNCATE_TOOL_OUTPUT_LINES"),
      getTruncateToolOutputThreshold: () =>
        this.#bundle.get("DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD"),
    };
    const params = { file_path: file };
    if (offset != null) params.offset = Math.max(0, offset - 1); // theirs counts from 0
    if (limit != null) params.limit = limit;
    const tool = new (this.#bundle.get("ReadFileTool"))(config);
    const { llmContent, error } = await tool.build(params).execute();
    if (error) throw new Error(error.message);
    const note = this.#call("memoryFreshnessNote", statSync(file).mtimeMs);
    const reminded = note !== "" && typeof llmContent === "string" && llmContent.includes(note);
    if (!reminded) return { days: null, before_content: null };
    return { days: daysOf(note), before_content: llmContent.startsWith(note) };
  }
}

/** The number of days that a reminder names, or null without one. */
function daysOf(reminder) {
  const number = /\d+/.exec(reminder);
  return number === null ? null : Number(number[0]);
}

const NEEDED = [
  "Config",
  "DEFAULT_TRUNCATE_TOOL_OUTPUT_LINES",
  "DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD",
  "MemoryManager",
  "ReadFileTool",
  "StandardFileSystemService",
  "_autoMemoryRootCache",
  "appendManagedAutoMemoryToUserMemory",
  "clearAutoMemoryRootCache",
  "formatMemoryManifest",
  "getAutoMemoryRoot",
  "memoryFreshnessNote",
  "memoryFreshnessText",
  "normalizeBody",
  "parseAutoMemoryTopicDocument",
  "scanAutoMemoryTopicDocuments",
  "truncateBody",
];
