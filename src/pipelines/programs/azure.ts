// What a pipeline of Azure tells its jobs → requests to that platform's own interface, and errors that people see there.
import { call, Refused, textFrom, type Call } from "./call.js";

const {
  BUILD_REPOSITORY_ID = "",
  SYSTEM_COLLECTIONURI = "",
  SYSTEM_TEAMPROJECTID = "",
  TOKEN = "",
} = process.env;

const PROJECT = `${SYSTEM_COLLECTIONURI}${SYSTEM_TEAMPROJECTID}`;

/** It answers those whom it does not know with a page to sign in, unless it is told not to. */
const HEADERS = {
  authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}`,
  "x-tfs-fedauthredirect": "Suppress",
};

export const VERSION = "api-version=7.0";

interface Asked {
  readonly content: Call["content"];
  readonly type?: string;
}

/** `path` as it stands after "_apis/". */
export function ask<Answer>(method: Call["method"], path: string, asked?: Asked): Promise<Answer> {
  const headers = { ...HEADERS, ...(asked?.type ? { "content-type": asked.type } : {}) };
  const content = asked?.content;
  const address = `${PROJECT}/_apis/${path}`;
  return call<Answer>({ method, address, headers, ...(content === undefined ? {} : { content }) });
}

export const read = (path: string, most: number): Promise<string> =>
  textFrom(`${PROJECT}/_apis/${path}`, HEADERS, most);

export const pageOfRun = (id: number | string): string => `${PROJECT}/_build/results?buildId=${id}`;

export const REPOSITORY = `git/repositories/${BUILD_REPOSITORY_ID}`;

/** 203 comes with a page to sign in. */
const SIGN_IN = new Set([203, 401, 403]);

/** On the page of the run; what a server has said must not begin a line of its own, which would command the agent. */
export function tell(error: unknown): void {
  const told = error instanceof Error ? error.message : String(error);
  const isSignIn = error instanceof Refused && SIGN_IN.has(error.status);
  const text = isSignIn
    ? `The token is refused: has it expired, or not all its scopes? ${told}`
    : told;
  const line = text.replaceAll("##vso[", "##[vso]").replaceAll(/\s+/g, " ");
  process.stdout.write(`##vso[task.logissue type=error]${line.replaceAll("%", "%AZP25")}\n`);
  process.exitCode = 1;
}

/** A token that nobody has set arrives as the text that names it. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    if (TOKEN === "" || TOKEN.startsWith("$"))
      throw new Error("The variable group portal-reports has no secret REPORT_TOKEN.");
    await work();
  } catch (error) {
    tell(error);
  }
}
