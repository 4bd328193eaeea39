// What the clock's job has found on the portals → one issue that is opened, updated, and closed when nothing is left.
import { ask, findOurs, say } from "./ask.js";
import { madeText } from "../made.js";

const MARKER = "<!-- lintel drift issue -->";
const TITLE = "Somebody has changed portals by hand";

/** With what stands beside it no more than an issue may have, which is 65,536 characters. */
const LONGEST = 64_000;
const LONGEST_DOCUMENT = 50_000_000;

interface Document {
  readonly exitCode: number;
  readonly portals?: readonly { readonly status: string }[];
}

export async function drift(): Promise<void> {
  const { RUN } = process.env;
  const text = madeText("drift.md", LONGEST);
  const json = madeText("drift.json", LONGEST_DOCUMENT);
  const known = json === undefined ? undefined : (JSON.parse(json) as Document);
  // Also one that somebody has closed, who has seen what it tells.
  const issue = await findOurs("/issues?state=all&sort=created&direction=desc", MARKER);
  if (text !== undefined && known?.portals?.some(({ status }) => status === "changes")) {
    const told = `${MARKER}\n\n${text.trim()}\n\nSeen by `;
    const body = `${told}[a run](${RUN}).`;
    if (!issue) await ask("POST", "/issues", { title: TITLE, body });
    else if (issue.body?.startsWith(told)) say("The issue tells it already.");
    else await ask("PATCH", `/issues/${issue.number}`, { body, state: "open" });
  } else if (known?.exitCode !== 0) {
    // Silence about a portal that cannot be looked at must not read like "no drift".
    say("Not every portal could be looked at, so the issue stays as it is.");
  } else if (issue?.state === "open") {
    const over = `Nothing is left of it, as [a run](${RUN}) has seen.`;
    await ask("POST", `/issues/${issue.number}/comments`, { body: over });
    const closed = { state: "closed", state_reason: "completed" };
    await ask("PATCH", `/issues/${issue.number}`, { body: `${MARKER}\n\n${over}`, ...closed });
  } else say("There is no drift, and no open issue.");
}
