// Reads the Markdown of a comment as a page would show it: fences, folds, and the prose outside of code.

export interface Read {
  readonly prose: string;
  /** HTML blocks: the lines from a tag to the next empty line. */
  readonly html: readonly string[];
  readonly fences: readonly string[];
  /** Zero where each fold is closed in its turn. */
  readonly openFolds: number;
  readonly isFenceOpen: boolean;
}

/** As CommonMark has it, for what a report may hold: fences, code spans, HTML blocks, and nothing nested in lists. */
export function readMarkdown(text: string): Read {
  const prose: string[] = [];
  const html: string[] = [];
  const fences: string[][] = [];
  let fence: string | undefined;
  let isHtml = false;
  let openFolds = 0;
  for (const line of text.split("\n")) {
    const ticks = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1];
    if (fence !== undefined) {
      if (ticks && ticks.length >= fence.length && /^ {0,3}`+ *$/.test(line)) fence = undefined;
      else fences.at(-1)?.push(line);
      continue;
    }
    if (!isHtml && ticks) {
      fence = ticks;
      fences.push([]);
      continue;
    }
    isHtml = line !== "" && (isHtml || /^ {0,3}<(?:\/?(?:details|summary)\b|!--)/.test(line));
    if (!isHtml) {
      prose.push(withoutCode(line));
      continue;
    }
    html.push(line);
    openFolds += (line.match(/<details/g)?.length ?? 0) - (line.match(/<\/details/g)?.length ?? 0);
    if (openFolds < 0) throw new Error(`a fold is closed twice: ${line}`);
    if (line.includes("-->")) isHtml = false;
  }
  return {
    prose: prose.join("\n"),
    html,
    fences: fences.map((lines) => lines.join("\n")),
    openFolds,
    isFenceOpen: fence !== undefined,
  };
}

function withoutCode(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "CODE");
}
