// Functions of a published bundle, run where they stand.
//
// The bundle is a program: importing it would start it. It was made by esbuild and is not minified,
// so everything at its top level begins in column 0 and keeps its name. This module indexes those
// beginnings, and links a name when it is asked for: it cuts exactly that declaration out of the
// text and evaluates it in a scope in which every other top-level name is linked the same way, on
// first use. What runs is the publisher's text, character for character; nothing of it is kept.
//
// Where a declaration ends is decided by V8, not by us: the text is extended line by line until it
// compiles. A parser reads left to right, so the first prefix that is a whole declaration is the
// declaration.

import { createRequire, isBuiltin } from "node:module";
import vm from "node:vm";

const requireBuiltin = createRequire(import.meta.url);

/** Node's own modules, and nothing else. */
function requireNode(name) {
  if (!isBuiltin(name))
    throw new BundleError(`the bundle asks for ${name}, which is no part of Node`);
  return requireBuiltin(name);
}

const TOP_LEVEL = new RegExp(
  [
    /(?:async )?function\*? (?<fn>[\w$]+)\(/,
    /class (?<cls>[\w$]+)[ {]/,
    /var (?<bare>[\w$]+(?:, [\w$]+)*);$/,
    /var (?<module>[\w$]+) = __esm\(/,
    /var (?<value>[\w$]+) = /,
    /import (?<what>.+) from "(?<from>[^"]+)";$/,
  ]
    .map((part) => part.source)
    .join("|")
    .replace(/^/, "^(?:")
    .replace(/$/, ")"),
  "gm",
);

const MOST_ATTEMPTS = 100; // lines that could end a declaration, tried before giving up

/** The bundle is not what this adapter was written for. The message says what is missing. */
export class BundleError extends Error {
  name = "BundleError";
}

/** Top-level names of a bundle, each evaluated when first needed. */
export class Bundle {
  #text;
  #index = new Map(); // name -> {kind, at, …}
  #modules = []; // [{at, name}] of esbuild's lazy module initialisers, by position
  #values = new Map(); // name -> linked value
  #started = new Set(); // initialisers that ran
  #scope;

  /** Index `text`; link nothing yet. */
  constructor(text) {
    this.#text = text;
    this.#values.set("require", requireNode);
    for (const match of text.matchAll(TOP_LEVEL)) this.#note(match);
    const known = (name) =>
      typeof name === "string" && (this.#values.has(name) || this.#index.has(name));
    this.#scope = new Proxy(Object.create(null), {
      has: (_, name) => known(name),
      get: (_, name) => (name === Symbol.unscopables ? undefined : this.get(name)),
      set: (_, name, value) => this.replace(name, value),
    });
  }

  /** The value of a top-level name. Throws BundleError if there is none, or none for certain. */
  get(name) {
    if (this.#values.has(name)) return this.#values.get(name);
    const entry = this.#index.get(name);
    if (entry === undefined) throw new BundleError(`the bundle declares no ${name}`);
    if (entry.twice) throw new BundleError(`the bundle declares ${name} more than once`);
    if (entry.kind === "bare") return this.#initialised(name, entry);
    const value = this.#link(name, entry);
    this.#values.set(name, value);
    return value;
  }

  /** Let `name` mean `value` from now on, inside the bundle too. */
  replace(name, value) {
    this.#values.set(name, value);
    return true;
  }

  #note({ groups, index: at }) {
    const add = (name, entry) =>
      this.#index.set(name, this.#index.has(name) ? { ...entry, twice: true } : entry);
    if (groups.fn) add(groups.fn, { kind: "expression", at });
    else if (groups.cls) add(groups.cls, { kind: "expression", at });
    else if (groups.bare)
      for (const name of groups.bare.split(", ")) add(name, { kind: "bare", at });
    else if (groups.module) {
      add(groups.module, { kind: "module", at });
      this.#modules.push({ at, name: groups.module });
    } else if (groups.value) add(groups.value, { kind: "value", at });
    else
      for (const [name, member] of imported(groups.what))
        add(name, { kind: "import", at, from: groups.from, member });
  }

  #link(name, entry) {
    switch (entry.kind) {
      case "expression":
        return this.#evaluate(this.#cut(name, entry.at, "(", ")"));
      case "import": {
        const module = requireNode(entry.from);
        return entry.member === "*" || entry.member === "default" ? module : module[entry.member];
      }
      case "module":
        // esbuild starts a module's imports before its body. Here a module starts when one of its
        // variables is first read, so that a memory function does not start the whole program.
        return () => {};
      default:
        // A namespace object is filled by a statement of its own, which nobody would run.
        if (name.endsWith("_exports"))
          throw new BundleError(`${name} is a namespace and is not linked`);
        return this.#evaluate(this.#assigned(this.#cut(name, entry.at, "", "")));
    }
  }

  /** A variable that is declared bare gets its value when its module's initialiser runs. */
  #initialised(name, entry) {
    const module = this.#modules[lowerBound(this.#modules, entry.at)];
    if (module !== undefined && !this.#started.has(module.name)) {
      this.#started.add(module.name);
      this.#evaluate(this.#assigned(this.#cut(module.name, module.at, "", "")))();
    }
    return this.#values.get(name);
  }

  /** The text of the declaration at `at`: the shortest run of whole lines that compiles. */
  #cut(name, at, before, after) {
    let attempts = 0;
    for (
      let end = this.#text.indexOf("\n", at);
      end >= 0;
      end = this.#text.indexOf("\n", end + 1)
    ) {
      const last = this.#text.lastIndexOf("\n", end - 1) + 1;
      if (last > at && !/[\])}`]/.test(this.#text[last])) continue; // esbuild closes in column 0
      const code = this.#text.slice(at, end);
      if (before === "" && !code.endsWith(";")) continue;
      if (attempts++ === MOST_ATTEMPTS) break;
      try {
        new vm.Script(`"use strict";${before}${code}${after}`);
        return code;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    throw new BundleError(`the declaration of ${name} does not end where esbuild would end it`);
  }

  #assigned(declaration) {
    return declaration.replace(/^var [\w$]+ = /, "").replace(/;$/, "");
  }

  #evaluate(expression) {
    const strict = `(function () { "use strict"; return (${expression}\n); })()`;
    const source = `(scope) => { with (scope) { return ${strict}; } }`;
    return vm.runInThisContext(source, { filename: "bundle" })(this.#scope);
  }
}

/** [local name, member] of each binding of an import clause; member may be "*" or "default". */
function imported(clause) {
  const namespace = /^\* as ([\w$]+)$/.exec(clause);
  if (namespace) return [[namespace[1], "*"]];
  const bindings = [];
  const first = /^([\w$]+)/.exec(clause);
  if (first) bindings.push([first[1], "default"]);
  const named = /\{(.*)\}/.exec(clause);
  for (const part of named ? named[1].split(",") : []) {
    const [member, local = member] = part.trim().split(" as ");
    if (member) bindings.push([local, member]);
  }
  return bindings;
}

/** The position of the first module at or after `at` in the text. */
function lowerBound(modules, at) {
  let low = 0;
  let high = modules.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (modules[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
