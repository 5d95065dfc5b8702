// The one published package that this adapter drives, and the proof that it is that package.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const NAME = "@qwen-code/qwen-code";
export const VERSION = "0.15.10";

/** Subresource integrity of the package's archive, as the npm registry states it. */
export const ARCHIVE_INTEGRITY =
  "sha512-A1rAUg7TTO62yuwogzEstMWLVxQ4n4JO26k9t6s93Ed14svp7W+7WEAAZhUMmxPf/q9xQQW7LwX48cuQcgKDBQ==";

/** The same of `cli.js` inside that archive. */
export const BUNDLE_INTEGRITY =
  "sha512-ythVk/IhFkFlpDPRo+eYT/duA2V9dzdY2X5Edhj96L31NRGHub2CGp4jGMKTm8BvuqebzWFFPhrJBwiKizjrvA==";

/** The package is missing, or is another. The message says what to do. */
export class PackageError extends Error {
  name = "PackageError";
}

/** `sha512-…` of some bytes. */
export function integrity(bytes) {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** The package's manifest and the text of its bundle, from a directory that install.mjs made. */
export function readPackage(directory) {
  const root = join(directory, "package");
  const manifest = parse(read(join(root, "package.json"), directory));
  if (manifest.name !== NAME || manifest.version !== VERSION) {
    throw new PackageError(
      `${root} holds ${manifest.name} ${manifest.version}, not ${NAME} ${VERSION}`,
    );
  }
  const bundle = read(join(root, "cli.js"), directory);
  if (integrity(bundle) !== BUNDLE_INTEGRITY) {
    throw new PackageError(
      `${join(root, "cli.js")} is not the published file (its digest differs); ` +
        `delete ${directory} and run install.mjs again`,
    );
  }
  return { manifest, bundle: bundle.toString("utf8") };
}

/** A manifest that is damaged is a manifest of nothing. */
function parse(bytes) {
  try {
    return Object(JSON.parse(bytes.toString("utf8")));
  } catch {
    return {};
  }
}

function read(path, directory) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new PackageError(
      `${path}: ${error.code}; first run: node adapters/qwen_code/install.mjs ${directory}`,
    );
  }
}
