// Prevents foreign text from giving commands to the platform whose pipeline prints it.

/**
 * How a document escapes a character. `annotations` are GitHub's own commands at the start of lines; `commands` are
 * whole lines that Lintel writes for the platform.
 */
export type Syntax = "text" | "json" | "markup" | "annotations" | "commands";

const IN_TEXT = (code: number) => `<U+${hex(code).toUpperCase()}>`;
const ESCAPES: Readonly<Record<Exclude<Syntax, "commands">, (code: number) => string>> = {
  text: IN_TEXT,
  json: (code) => `\\u${hex(code)}`,
  markup: (code) => `&#${code};`,
  annotations: IN_TEXT,
};

/**
 * GitHub obeys "##[" anywhere in a line, Azure "##vso[", TeamCity "##teamcity[", and GitLab "section_start:" and
 * "section_end:" with a number.
 */
const ANYWHERE = /(?<=#)#(?=\w*\[)|(?<=section)_(?=(?:start|end):\d)/g;

/** GitHub obeys "::" at the start of a line after trimming white space, which in .NET includes U+0085. */
const AT_LINE_START = /((?:^|\u0085)[^\S\r\n\u2028\u2029]*):(?=:)/gm;

/** The same document, with one character of each command escaped. Masking again changes nothing. */
export function maskLogCommands(text: string, syntax: Syntax = "text"): string {
  if (syntax === "commands") return text;
  const escape = ESCAPES[syntax];
  const masked = text.replace(ANYWHERE, (character) => escape(character.charCodeAt(0)));
  if (syntax === "annotations") return masked;
  return masked.replace(AT_LINE_START, (_, space: string) => space + escape(0x3a));
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}
