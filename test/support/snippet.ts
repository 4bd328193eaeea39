// Expands a snippet as editors do: the text that then stands in the file, and where it waits for input.

export interface Expanded {
  readonly text: string;
  /** Where nothing stands yet and the editor stops, as offsets; at last it stops at the end. */
  readonly blanks: readonly number[];
}

/**
 * By the editor protocol's grammar: `$1`, `${1:text}`, `${1|one,other|}` and `\$` `\}` `\\`. A variable that no editor
 * knows gives the text after its colon, else its own name; so `${env:NAME}` becomes NAME.
 */
export function expand(snippet: string): Expanded {
  const { text, blanks } = expandUntil(snippet, 0, "");
  return { text, blanks: [...blanks, text.length] };
}

interface Part {
  readonly text: string;
  readonly blanks: readonly number[];
  readonly end: number;
}

function expandUntil(snippet: string, start: number, closing: string): Part {
  let [text, at] = ["", start];
  const blanks: number[] = [];
  while (at < snippet.length && snippet[at] !== closing) {
    const rest = snippet.slice(at);
    const escaped = /^\\[$}\\]/.exec(rest)?.[0];
    const plain = /^\$(\d+|[A-Za-z_]\w*)/.exec(rest);
    const choice = /^\$\{\d+\|([^,|]*)[^|]*\|\}/.exec(rest);
    const open = /^\$\{(\d+|[A-Za-z_]\w*)(:?)/.exec(rest);
    if (escaped) {
      text += escaped[1];
      at += escaped.length;
    } else if (choice) {
      text += choice[1];
      at += choice[0].length;
    } else if (plain?.[1]) {
      if (/^\d/.test(plain[1])) blanks.push(text.length);
      else text += plain[1];
      at += plain[0].length;
    } else if (open?.[1]) {
      const [begun, name, colon] = open;
      const inner = expandUntil(snippet, at + begun.length, "}");
      const isNumbered = /^\d/.test(name);
      if (isNumbered && inner.text === "") blanks.push(text.length);
      blanks.push(...inner.blanks.map((blank) => text.length + blank));
      text += colon || isNumbered ? inner.text : name;
      at = inner.end + 1;
    } else {
      text += snippet[at];
      at += 1;
    }
  }
  return { text, blanks, end: at };
}
