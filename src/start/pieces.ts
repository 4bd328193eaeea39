// A piece of the command by its name → its exports, from what V8 compiled before.
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Script } from "node:vm";

/** Where the pieces are. */
export interface Pieces {
  /** What traces call that place. */
  readonly name: string;
  read(piece: string): Buffer;
}

/** The piece that begins. */
export const FRONT_DOOR = "bin.cjs";

interface Piece {
  readonly exports: unknown;
  readonly text: Buffer;
  readonly script: Script;
}

/**
 * Without a folder every piece is compiled anew. From 22.8 on Node keeps such things itself, but what the first run of a
 * piece called and no more, which for most other commands is too little.
 */
export function loadPieces(pieces: Pieces, folder: string | undefined): void {
  const loaded = new Map<string, Piece>();
  let isLacking = false;

  function load(name: string): unknown {
    const known = loaded.get(name);
    if (known) return known.exports;
    const filename = join(pieces.name, name);
    const text = pieces.read(name);
    const cachedData = folder === undefined ? undefined : read(join(folder, name), text);
    // Of ASCII alone, which is read as Latin-1 in a fraction of the time.
    const code = text.toString("latin1");
    const script = new Script(code, cachedData ? { filename, cachedData } : { filename });
    isLacking ||= script.cachedDataRejected !== false;
    const piece = { exports: {}, text, script };
    loaded.set(name, piece);
    const run = script.runInThisContext() as (...given: unknown[]) => void;
    run(piece, piece.exports, (wanted: string) =>
      wanted.startsWith(".") ? load(basename(wanted)) : (require(wanted) as unknown),
    );
    return piece.exports;
  }

  if (folder !== undefined) {
    process.once("exit", () => {
      // V8 compiles a function when it is first called, so that a command that is new here brings more of every piece.
      if (isLacking) for (const [name, piece] of loaded) write(join(folder, name), piece);
    });
  }
  load(FRONT_DOOR);
}

/**
 * Looked at before V8 sees it: V8 knows the source by its length alone, and damaged data can end the process. So the file
 * holds the text, and the data twice: to compare needs nothing, and a digest node:crypto, which takes longer to load.
 */
function read(file: string, text: Buffer): Buffer | undefined {
  try {
    // To read a pipe would wait for ever.
    if (!lstatSync(file).isFile()) return undefined;
    const kept = readFileSync(file);
    const middle = (kept.length + text.length) / 2;
    const data = kept.subarray(text.length, middle);
    return text.equals(kept.subarray(0, text.length)) && data.equals(kept.subarray(middle))
      ? data
      : undefined;
  } catch {
    return undefined;
  }
}

/** Two runs may write one draft at once, or one may be killed: what comes of that is not twice the same. */
function write(file: string, { text, script }: Piece): void {
  const data = script.createCachedData();
  const draft = `${file}.new`;
  try {
    // What a killed run left, or a pipe or a link that somebody put there, is not written through.
    rmSync(draft, { force: true });
    writeFileSync(draft, Buffer.concat([text, data, data]), { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch {
    // No room or no right to write: the next run compiles for itself.
    drop(draft);
  }
}

/** Half a draft would keep a full disk full. */
function drop(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // No right to remove it either.
  }
}
