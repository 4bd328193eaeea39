// One PostgreSQL server for all tests of a run: started by the first that asks for it, ended after them.
import { mkdtempSync, realpathSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { stopPostgres } from "./postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that it is started in. */
    readonly postgres: string;
  }
}

export default function begin(project: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lintel-postgres-")));
  chmodSync(folder, 0o755);
  project.provide("postgres", folder);
  return () => {
    stopPostgres(folder);
    rmSync(folder, { recursive: true, force: true });
  };
}
