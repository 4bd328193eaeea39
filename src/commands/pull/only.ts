// The words of --path → the settings that a pull is about; fails for those that neither the reference nor the file knows.
import { SETTING_PATHS, spellingsOf } from "../../catalog/catalog.js";
import { didYouMean } from "../../diagnostic.js";
import { wrongUsage } from "../../failure.js";
import { referencePath } from "../../plan/spelling.js";
import { formatPath, isWithin, type DesiredLeaf, type Path } from "../../settings.js";

export interface Only {
  /** As the call names it. */
  readonly text: string;
  readonly path: Path;
}

/** Empty where the call names none, which means all. */
export function onlyOf(given: readonly string[], leaves: readonly DesiredLeaf[]): Only[] {
  return given.map((text): Only => {
    const path = referencePath(text.split("."));
    const isOfFile = leaves.some((leaf) => isWithin(referencePath(leaf.path), path));
    if (isOfFile || SETTING_PATHS.includes(formatPath(path))) return { text, path };
    throw wrongUsage(`"${text}" is no setting.`, helpOn(text, leaves));
  });
}

export function isAmong(path: Path, only: readonly Only[]): boolean {
  return only.length === 0 || only.some((each) => isWithin(referencePath(path), each.path));
}

function helpOn(text: string, leaves: readonly DesiredLeaf[]): string {
  const names = [...SETTING_PATHS, ...leaves.map(({ path }) => formatPath(path))];
  // A property by itself, which several parameters may have.
  const own = spellingsOf(text);
  const whole = SETTING_PATHS.filter((name) => own.some((each) => name.endsWith(`.${each}`)));
  if (whole.length > 0) return `Write the whole path: ${whole.join(", ")}.`;
  return didYouMean(text, names) ?? "To list every setting:\n  lintel explain";
}
