// Fetches the published package into a throw-away directory: node install.mjs DIR
//
// npm fetches the archive by name and version; no script of the package is run, none of its
// dependencies is installed. The archive must have the digest that package.mjs names.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import {
  ARCHIVE_INTEGRITY,
  NAME,
  PackageError,
  VERSION,
  integrity,
  readPackage,
} from "./package.mjs";

function run(command, args, cwd) {
  const done = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (done.error) throw new PackageError(`${command} cannot be started: ${done.error.code}`);
  if (done.status !== 0) throw new PackageError(`${command} failed:\n${done.stderr}`);
  return done.stdout;
}

function install(directory) {
  mkdirSync(directory, { recursive: true });
  if (existsSync(join(directory, "package"))) {
    readPackage(directory);
    return "was there";
  }
  if (readdirSync(directory).length > 0)
    throw new PackageError(`${directory} is not empty; name a new directory`);
  const packed = run(
    "npm",
    ["pack", `${NAME}@${VERSION}`, "--ignore-scripts", "--silent"],
    directory,
  );
  const archive = packed.trim().split("\n").at(-1);
  const found = integrity(readFileSync(join(directory, archive)));
  if (found !== ARCHIVE_INTEGRITY) {
    throw new PackageError(
      `${archive} is not the archive this adapter was written for: its digest is ${found}`,
    );
  }
  run("tar", ["-xzf", archive, "package/package.json", "package/cli.js"], directory);
  readPackage(directory);
  return "installed";
}

const [directory, ...rest] = process.argv.slice(2);
if (directory === undefined || rest.length > 0 || directory.startsWith("-")) {
  console.error("usage: node install.mjs DIR   (a new directory, outside any repository)");
  process.exit(2);
}
try {
  console.log(`${NAME} ${VERSION}: ${install(directory)} in ${directory}`);
} catch (error) {
  if (!(error instanceof PackageError)) throw error;
  console.error(`install.mjs: ${error.message}`);
  process.exit(1);
}
