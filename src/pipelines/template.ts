// Fills in the YAML of a pipeline: words, blocks of lines, and parts that only some pipelines have.

export interface Filling {
  /** Put for `__NAME__` anywhere in a line. */
  readonly words: Readonly<Record<string, string>>;
  /** Put for a line `# @name`, as far to the right as it. */
  readonly blocks: Readonly<Record<string, readonly string[]>>;
  /** Whether the lines from `# @if name` to the next `# @end` are there, and those from `# @if !name` are not. */
  readonly parts: Readonly<Record<string, boolean>>;
}

export function filled(template: string, { words, blocks, parts }: Filling): string {
  const known = <Value>(from: Readonly<Record<string, Value>>, name: string): Value => {
    const value = from[name];
    if (value === undefined) throw new TypeError(`the template has an unknown name "${name}"`);
    return value;
  };
  const put = (line: string) =>
    line.replace(/__([A-Z]+(?:_[A-Z]+)*)__/g, (_, name: string) => known(words, name));
  // The parts that the line is in, each within the one before.
  const open: boolean[] = [];
  const lines = template.split("\n").flatMap((line) => {
    const [, indent = "", name, rest = ""] = /^( *)# @([a-z]+) ?(.*)$/.exec(line) ?? [];
    if (name === "if") open.push(known(parts, rest.replace("!", "")) !== rest.startsWith("!"));
    else if (name === "end") open.pop();
    else if (open.every(Boolean)) {
      if (name === undefined) return put(line);
      return known(blocks, name).map((each) => indent + each);
    }
    return [];
  });
  return lines.join("\n");
}
