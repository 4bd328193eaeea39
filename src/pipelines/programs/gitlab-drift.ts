// What a run by the clock has found of drift → one issue of the project, found by its marker: opened, updated and closed.
import type { Json } from "../../lib/json.js";
import { call, Refused, type Call } from "./call.js";
import { madeText } from "./made.js";

const { CI_API_V4_URL, CI_PROJECT_ID, LINTEL_ISSUES_TOKEN = "" } = process.env;

/** With which the report begins. */
const MARKER = "<!-- lintel drift -->";
/** With its last line no more than a description may have, which is 1,048,576 characters. */
const LONGEST = 1_000_000;
const LONGEST_DOCUMENT = 50_000_000;
const TITLE = "Settings were changed beside Lintel";
const END =
  "This issue is updated with what is found by the clock, and closed when that is nothing.";

interface Issue {
  readonly iid: number;
  readonly state: "opened" | "closed";
  readonly description: string | null;
}

interface Found {
  readonly exitCode: number;
  readonly summary?: { readonly changing: number };
}

const say = (text: string) => void process.stdout.write(`${text}\n`);

const ask = <Answer>(
  method: Call["method"],
  path: string,
  content?: Readonly<Record<string, Json>>,
) =>
  call<Answer>({
    method,
    address: `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/issues${path}`,
    headers: { "private-token": LINTEL_ISSUES_TOKEN },
    ...(content ? { content } : {}),
  });

/** The newest that this token's account has made, open or closed: nobody else's marker counts. */
async function ourIssue(): Promise<Issue | undefined> {
  for (let page = 1; ; page += 1) {
    const query = `scope=created_by_me&order_by=created_at&sort=desc&per_page=100&page=${page}`;
    const issues = await ask<readonly Issue[]>("GET", `?${query}`);
    const ours = issues.find(({ description }) => description?.startsWith(MARKER));
    if (ours || issues.length < 100) return ours;
  }
}

async function tell(issue: Issue | undefined, description: string): Promise<void> {
  // Who closes it with this in it has seen it.
  if (issue?.description === description) {
    say(`Issue #${issue.iid} tells of it already.`);
  } else if (issue) {
    const isClosed = issue.state === "closed";
    await ask("PUT", `/${issue.iid}`, { description, ...(isClosed && { state_event: "reopen" }) });
    say(`Issue #${issue.iid} is ${isClosed ? "opened again" : "updated"}.`);
  } else {
    const content = { title: TITLE, description, confidential: true };
    const { iid } = await ask<Issue>("POST", "", content);
    say(`Issue #${iid} is opened.`);
  }
}

async function close(issue: Issue | undefined): Promise<void> {
  if (issue?.state !== "opened") return say("There is no drift.");
  const description = `${MARKER}\n\nThere is no drift any more.`;
  await ask("PUT", `/${issue.iid}`, { description, state_event: "close" });
  say(`There is no drift any more. Issue #${issue.iid} is closed.`);
}

async function keepIssue(): Promise<void> {
  const issue = await ourIssue();
  await (hasDrift ? tell(issue, `${madeText("drift.md", LONGEST)}\n${END}`) : close(issue));
}

const report = madeText("drift.json", LONGEST_DOCUMENT);
const found = report === undefined ? undefined : (JSON.parse(report) as Found);
const hasDrift = (found?.summary?.changing ?? 0) > 0;
if (!hasDrift && found?.exitCode !== 0) {
  say("Nobody knows of drift: the job clock could not look at all portals. Its log says why.");
} else if (LINTEL_ISSUES_TOKEN !== "") {
  await keepIssue().catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    say(error.message);
    say("Where the token in LINTEL_ISSUES_TOKEN has expired or may not write issues, replace it.");
    process.exitCode = 1;
  });
} else if (hasDrift) {
  say(
    "There is drift, of which the log of the job clock tells, and no token to open an issue with. Make a project access token with the role Reporter and the scope api, and set it as the variable LINTEL_ISSUES_TOKEN, masked, protected and for the environment portal-issues.",
  );
  process.exitCode = 2;
} else {
  say("There is no drift.");
}
