// The runs that kill.ts kills: how the portal and the state come to be, the command, and how a person goes on afterwards.
import type { JsonObject } from "../../src/lib/json.js";

/** A command, and the exit status that it ends with. */
export type Command = readonly [words: string, exit: number];

export interface Story {
  readonly name: string;
  /** What the portal holds before anybody applies anything. */
  readonly portal: JsonObject;
  /** Everything in the file below its sign-in, once for each apply that went before. */
  readonly earlier: readonly string[];
  readonly file: string;
  readonly isNeverRead?: true;
  /** A run of the same command before, killed right after this action. */
  readonly killedAfter?: string;
  readonly killed: string;
  /** What somebody makes of the file before the next run. */
  readonly next?: string;
  readonly after: readonly Command[];
}

const PORTAL = {
  informationalBanner: {
    text: "Welcome",
    bgColor: "#b30000",
    fontColor: "white",
    enabled: true,
  },
  blockBetaApps: false,
  portalConfigProperties: { tokenExpiration: 60, showCreateDashboard: false },
};

const banner = (text: string) => `  informationalBanner: { text: "${text}" }\n`;
const FIRST = `settings:\n${banner("Read-only on Saturday")}  blockBetaApps: true\n`;
const SECOND = `settings:\n${banner("Read-only on Sunday")}  portalConfigProperties: { showCreateDashboard: true }\n`;

const APPLY = "apply --yes";
const SEND = "send POST /portal/sharing/rest/portals/self/settings/update";
const applied: Story["after"] = [[APPLY, 0]];
/** Finished by the same command, and then in force until a person lifts it. */
const rollback = (words: string): Pick<Story, "killed" | "after"> => ({
  killed: words,
  after: [
    [words, 0],
    [APPLY, 7],
    ["unhold", 0],
    [`${APPLY} --allow unread-portal`, 0],
  ],
});
const rolledBack = { portal: PORTAL, earlier: [FIRST, SECOND], file: SECOND };
const given = { portal: PORTAL, killed: APPLY, after: applied };

export const STORIES: readonly Story[] = [
  { ...given, name: "first apply", earlier: [], file: FIRST },
  { ...given, name: "change", earlier: [FIRST], file: SECOND },
  {
    ...given,
    name: "adopt and release alone",
    portal: { ...PORTAL, aiAssistantsEnabled: true },
    earlier: [FIRST],
    file: "settings: { aiAssistantsEnabled: true }\n",
  },
  {
    ...given,
    name: "a portal that is never read",
    isNeverRead: true,
    earlier: [FIRST],
    file: FIRST.replace("Saturday", "Sunday"),
  },
  {
    ...given,
    name: "after a kill before the request",
    earlier: [FIRST],
    file: SECOND,
    killedAfter: "link",
  },
  {
    ...given,
    name: "after a kill before the answer",
    earlier: [FIRST],
    file: SECOND,
    killedAfter: SEND,
  },
  {
    ...given,
    name: "the file is changed after the kill",
    earlier: [FIRST],
    file: SECOND,
    next: SECOND.replace("Sunday", "Monday"),
  },
  { ...rolledBack, name: "rollback", ...rollback("rollback --yes") },
  {
    ...rolledBack,
    name: "rollback to an apply",
    ...rollback("rollback --to 1 --yes"),
  },
  {
    ...rolledBack,
    name: "rollback of a portal that is never read",
    isNeverRead: true,
    ...rollback("rollback --yes --allow unread-portal"),
  },
  {
    ...rolledBack,
    name: "rollback after a kill before its answer",
    killedAfter: SEND,
    ...rollback("rollback --yes"),
  },
  {
    ...rolledBack,
    name: "rollback after a kill before its request",
    killedAfter: "link",
    ...rollback("rollback --yes"),
  },
];
