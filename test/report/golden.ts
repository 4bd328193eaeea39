// Compares a text with a stored file; UPDATE_GOLDEN=1 writes the file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PROJECT } from "../support/run.js";

export function expectGolden(name: string, text: string): void {
  const file = join(PROJECT, "test/report/golden", name);
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}
