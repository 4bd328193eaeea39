// A path of the repository's own interface → GitHub's answer; and among what was written there, what one of these programs wrote.
import { appendFileSync } from "node:fs";
import type { JsonObject } from "../../../lib/json.js";
import { call, type Call } from "../call.js";

const { GITHUB_API_URL, GITHUB_REPOSITORY, TOKEN } = process.env;

/** What a program knows a proposal's comment by. */
export const PROPOSAL = "<!-- lintel proposal -->";

export function ask<Answer>(method: Call["method"], path: string, content?: JsonObject) {
  return call<Answer>({
    method,
    address: `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    },
    ...(content ? { content } : {}),
  });
}

/** A comment or an issue. */
export interface Entry {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly login: string } | null;
  readonly body: string | null;
  /** Of an issue. */
  readonly state?: string;
  readonly pull_request?: unknown;
}

const PAGE = 100;

/** Anybody may write our marker, and nobody else as this. */
export async function findOurs(path: string, marker: string): Promise<Entry | undefined> {
  const query = `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}`;
  for (let page = 1; ; page += 1) {
    const entries = await ask<readonly Entry[]>("GET", `${query}&page=${page}`);
    const ours = entries.find(
      ({ user, body, pull_request: pull }) =>
        user?.login === "github-actions[bot]" && body?.startsWith(marker) && pull === undefined,
    );
    if (ours || entries.length < PAGE) return ours;
  }
}

/** In a file that the steps after this one know. */
export function output(name: string, value: string): void {
  appendFileSync(process.env["GITHUB_OUTPUT"] ?? "", `${name}=${value}\n`);
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
