#!/usr/bin/env node
// A piece of dist by its name → its exports, without compiling anew what the build has had V8 compile.
"use strict";

const { readFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const { Script } = require("node:vm");

const pieces = join(__dirname, "pieces");
const { version, platform, arch } = process;

/** What V8 compiled fits the same Node alone; any other compiles for itself, which takes longer and works as well. */
const cache = join(__dirname, `cache-${version}-${platform}-${arch}`);

/** Every piece loaded so far, for the build to ask V8 what it compiled. */
const loaded = new Map();

function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const filename = join(pieces, name);
  // The build writes ASCII alone; Node reads this encoding in one step, twice as fast as "latin1".
  const source = `(function(module,exports,require){${readFileSync(filename, "utf8")}\n})`;
  const script = new Script(source, { filename, cachedData: cached(name) });
  const piece = { exports: {}, script };
  loaded.set(name, piece);
  script.runInThisContext()(piece, piece.exports, (wanted) =>
    wanted.startsWith(".") ? load(basename(wanted)) : require(wanted),
  );
  return piece.exports;
}

function cached(name) {
  try {
    return readFileSync(join(cache, name));
  } catch {
    return undefined;
  }
}

if (require.main === module) load("bin.cjs");
else module.exports = { load, loaded, cache };
