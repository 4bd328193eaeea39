// A file that an earlier migration wrote, and names that it has a value for now → the same without the lines that said they are to be decided.

/** How lintel migrate begins such a list, and an entry of it; whatever looks otherwise is a person's. */
const TITLE = /^# Left out, and to be decided:$/;
const ENTRY =
  /^# {3}([A-Za-z_$][\w$]*) \([^()]*:\d+\), (?:not-understood|invalid|needs-newer-target|no-counterpart): /;
const MORE = /^# {3}\s*\S/;

export function withoutDecided(text: string, names: ReadonlySet<string>): string {
  const lines = text.split(/(?<=\n)/);
  const bare = lines.map((line) => line.replace(/\r?\n$/, ""));
  const dropped = new Set<number>();
  for (const [at, line] of bare.entries()) {
    if (!TITLE.test(line)) continue;
    let [end, isDropped, hasMore] = [at + 1, false, false];
    for (; end < bare.length && MORE.test(bare[end] ?? ""); end++) {
      const name = ENTRY.exec(bare[end] ?? "")?.[1];
      if (name !== undefined) isDropped = names.has(name);
      if (isDropped) dropped.add(end);
      else hasMore = true;
    }
    if (hasMore || end === at + 1) continue;
    dropped.add(at);
    if (bare[at - 1] === "") dropped.add(at - 1);
  }
  return lines.filter((_, at) => !dropped.has(at)).join("");
}
