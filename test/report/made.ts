// What a page is told of its run, for tests.
import { EXIT } from "../../src/failure.js";
import type { Outcome } from "../../src/outcome.js";
import type { Made } from "../../src/report/html-page.js";

export const MADE: Made = {
  toolVersion: "0.1.0",
  at: "2026-06-15T08:30:00.000Z",
  commit: "4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e",
  job: "https://ci.example.com/jobs/1234",
};

export const PLAN: Outcome = { command: "plan", exit: EXIT.done, diagnostics: [] };
