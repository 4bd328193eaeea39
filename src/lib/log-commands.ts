// Keeps text that others wrote from commanding the platform whose pipeline prints it.

/**
 * How a document writes a character by its number. `annotations` are GitHub's own commands, which begin lines; `commands`
 * are whole lines that Lintel itself writes for the platform.
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

/** GitHub obeys "::" where a line begins, once the white space before it is trimmed, which for .NET includes U+0085. */
const AT_LINE_START = /((?:^|\u0085)[^\S\r\n\u2028\u2029]*):(?=:)/gm;

/** The same document, in which one character of each command is written by its number. Masked twice, it is masked once. */
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
