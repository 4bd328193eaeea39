// Reads the settings that --path selects, in the reference's spelling.
import { SETTING_PATHS, spellingsOf } from "../catalog/catalog.js";
import { didYouMean } from "../diagnostic.js";
import { checkFile } from "../document/check/check-file.js";
import { desiredLeaves } from "../document/read/leaves.js";
import { wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { referencePath } from "../catalog/spelling.js";
import { formatPath, isWithin, type Path } from "../settings.js";

/** Undefined for all. Fails for a setting that is neither in the reference nor in any file. */
export async function pickSettings(
  given: readonly string[],
  files: readonly string[],
  io: Io,
): Promise<readonly Path[] | undefined> {
  if (given.length === 0) return undefined;
  const picked = given.map((text) => ({ text, path: referencePath(text.split(".")) }));
  const odd = picked.filter(({ path }) => !SETTING_PATHS.includes(formatPath(path)));
  const known = odd.length > 0 ? await pathsIn(files, io) : [];
  for (const { text, path } of odd) {
    if (known.some((each) => isWithin(referencePath(each), path))) continue;
    throw wrongUsage(`"${text}" is no setting.`, helpOn(text, known));
  }
  return picked.map(({ path }) => path);
}

/** Unlisted settings that files set. */
async function pathsIn(files: readonly string[], io: Io): Promise<Path[]> {
  const paths: Path[] = [];
  for (const file of files) {
    if (file === "-") continue;
    const { root } = await checkFile(file, io);
    if (root) paths.push(...desiredLeaves(root).map(({ path }) => path));
  }
  return paths;
}

function helpOn(text: string, known: readonly Path[]): string {
  const names = [...SETTING_PATHS, ...known.map(formatPath)];
  // A property without its parameter, which several parameters may have.
  const own = spellingsOf(text);
  const whole = SETTING_PATHS.filter((name) => own.some((each) => name.endsWith(`.${each}`)));
  if (whole.length > 0) return `Write the whole path: ${whole.join(", ")}.`;
  return didYouMean(text, names) ?? "To list every setting:\n  lintel explain";
}
