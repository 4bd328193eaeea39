// Markdown → its tables, each row with the line it stands on. A row that is not whole stops the reading.
import { Failure } from "../../src/failure.js";
import type { Json } from "../../src/lib/json.js";

export interface Row {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

export interface Table {
  readonly heading: string;
  readonly file: string;
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export function unreadable(at: { file: string; line: number }, what: string): Failure {
  return new Failure(
    "file-not-readable",
    `${at.file}:${at.line}: ${what}`,
    "Correct the row, then run:\n  npm run generate",
  );
}

export function readTables(file: string, markdown: string): Table[] {
  const tables: Table[] = [];
  const lines = markdown.split(/\r?\n/);
  let heading = "";
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] ?? "";
    const title = /^#+\s+(.*?)\s*$/.exec(text);
    if (title) heading = title[1] ?? "";
    if (!text.startsWith("|")) continue;
    const first = index;
    while (lines[index + 1]?.startsWith("|")) index++;
    tables.push(readTable(file, heading, first + 1, lines.slice(first, index + 1)));
  }
  return tables;
}

function readTable(file: string, heading: string, line: number, lines: readonly string[]): Table {
  const [head = "", rule = "", ...body] = lines;
  const columns = splitRow({ file, line }, head);
  if (new Set(columns).size !== columns.length) {
    throw unreadable({ file, line }, "the table names a column twice.");
  }
  if (!/^\|(?:\s*:?-+:?\s*\|)+\s*$/.test(rule)) {
    throw unreadable({ file, line: line + 1 }, "the table lacks the rule below its head.");
  }
  const rows = body.map((text, index): Row => {
    const at = { file, line: line + 2 + index };
    const cells = splitRow(at, text);
    if (cells.length !== columns.length) {
      const counts = `${cells.length} cells, where the table has ${columns.length} columns`;
      throw unreadable(at, `the row has ${counts}.`);
    }
    return { ...at, cells: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ""])) };
  });
  return { heading, file, line, columns, rows };
}

function splitRow(at: { file: string; line: number }, text: string): string[] {
  const row = text.trimEnd();
  if (row.length < 2 || !row.endsWith("|") || row.endsWith("\\|")) {
    throw unreadable(at, "the row does not end with a bar.");
  }
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** What a cell says, or why that cannot be understood; so do those below. */
export function filled(row: Row, column: string): string {
  const text = row.cells[column];
  if (!text) throw unreadable(row, `the cell "${column}" is empty.`);
  return text;
}

export function words(row: Row, column: string): string[] {
  return filled(row, column)
    .split(/,\s*/)
    .map((part) => {
      const text = /^`([^`]+)`$/.exec(part)?.[1];
      if (!text) throw unreadable(row, `"${part}" in "${column}" must be one word in backquotes.`);
      return text;
    });
}

export function word(row: Row, column: string): string {
  const [first = "", second] = words(row, column);
  if (second) throw unreadable(row, `the cell "${column}" must hold one word.`);
  return first;
}

export function oneOf<T extends string>(row: Row, column: string, known: readonly T[]): T {
  const text = filled(row, column).replaceAll("`", "");
  const found = known.find((each) => each === text);
  if (!found) throw unreadable(row, `"${text}" in "${column}" is none of: ${known.join(", ")}.`);
  return found;
}

export function count(row: Row, column: string): number | undefined {
  if (!row.cells[column]) return undefined;
  const text = word(row, column);
  if (!/^[1-9]\d*$/.test(text)) throw unreadable(row, `"${text}" in "${column}" is no count.`);
  return Number(text);
}

export function json(row: Row, column: string): Json {
  const text = /^`(.+)`$/.exec(filled(row, column))?.[1];
  try {
    return JSON.parse(text ?? "") as Json;
  } catch {
    throw unreadable(row, `the cell "${column}" must hold JSON in backquotes.`);
  }
}
