// A thousand portals, as a run over all customers of an organisation leaves them: some equal, some with changes, a few in trouble.
import { EXIT, Failure } from "../../src/failure.js";
import type { Json } from "../../src/lib/json.js";
import type { Change } from "../../src/plan/diff.js";
import type { PortalResult } from "../../src/plan/result.js";
import { driftNote } from "../../src/plan/note.js";
import { pathOf } from "../plan/inputs.js";
import { changeOf, named, planOf, resultOf } from "./results.js";

const TERMS = [
  "This portal is for members of Example Organisation and their guests.",
  "By entering you agree to its terms of use, and to the house rules of the district that you are working for.",
  "What you publish here can be seen by everybody in the organisation unless you say otherwise.",
].join("\n\n");

const LINKS = [
  { title: "Terms", url: "https://www.example.org/terms" },
  { title: "Contact", email: "gis@example.org", type: "contactUs" },
  { title: "Help", url: "https://www.example.org/help" },
];

const SETTINGS: Readonly<Record<string, Json>> = {
  anonymousAccessNotice: { title: "Terms of use", text: TERMS, enabled: true },
  informationalBanner: {
    text: "Read-only on Saturday from 18:00 to 22:00.",
    bgColor: "#b30000",
    fontColor: "white",
    enabled: true,
  },
  portalConfigProperties: {
    footerLinks: LINKS,
    tokenExpiration: 60,
    longTokenExpiration: 20_160,
    showInAppLauncher: ["Dashboards", "StoryMaps", "Field Maps"],
    surveyUrl: "https://survey.example.com",
  },
  blockBetaApps: false,
};

const LEAVES = [
  "anonymousAccessNotice.text",
  "informationalBanner.text",
  "informationalBanner.bgColor",
  "portalConfigProperties.footerLinks",
  "portalConfigProperties.tokenExpiration",
  "blockBetaApps",
].map((path) => ({ path: pathOf(path), value: null }));

const NOTICE = changeOf(
  "anonymousAccessNotice.text",
  TERMS.replace("guests", "partners").replace("everybody in", "members of"),
  TERMS,
);
const DRIFT: Partial<Change> = { notes: [driftNote("Closed on Sunday")] };

const CHANGES: readonly (readonly Change[])[] = [
  [],
  [NOTICE],
  [NOTICE, changeOf("informationalBanner.bgColor", "#005500", "#b30000")],
  [
    NOTICE,
    changeOf("informationalBanner.text", "Read-only on Sunday.", "Read-only on Saturday.", DRIFT),
    changeOf("portalConfigProperties.footerLinks", LINKS.slice(1), LINKS),
    changeOf("portalConfigProperties.tokenExpiration", 120, 60),
    changeOf("blockBetaApps", true, false, { action: "default" }),
  ],
];

const GUARD = {
  name: "disable-notice",
  path: ["informationalBanner"],
  message: '"informationalBanner" would be switched off.',
  isOpen: false,
  openedBy: null,
} as const;

export function fleetOf(count: number): PortalResult[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `customer-${String(at + 1).padStart(4, "0")}`;
    if (at % 41 === 7) return fallen(name);
    const changes = CHANGES[at % CHANGES.length] ?? [];
    const plan = planOf(changes, {
      leaves: LEAVES,
      guards: at % 29 === 3 && changes.length > 0 ? [GUARD] : [],
      request:
        changes.length > 0 ? { parameters: Object.keys(SETTINGS), settings: SETTINGS } : null,
    });
    return named(at % 67 === 5 ? held(resultOf(plan)) : resultOf(plan), name);
  });
}

export function fallen(name: string): PortalResult {
  const failure = new Failure(
    "not-reachable",
    `"${name}.example.com" cannot be reached.`,
    `Find out how far it goes:\n  lintel doctor portals/${name}.yaml`,
  );
  const result = resultOf(planOf([]), { status: "failed", failure, exit: EXIT.refused });
  return named({ ...result, plan: null }, name);
}

export function held(result: PortalResult): PortalResult {
  const hold = {
    since: "2026-06-01T09:30:00.000Z",
    by: "ana",
    why: "rollback to serial 4",
    isByHand: false,
    until: null,
    isAgreed: false,
    isOlder: false,
    inBase: null,
    inWindow: null,
    isUnsettled: false,
  };
  return { ...result, status: "held", hold, exit: EXIT.stopped };
}
