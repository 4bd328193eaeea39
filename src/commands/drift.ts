// lintel drift: files → what somebody else changed on their portals since the last apply; changes nothing.
import type { Run, Words } from "./command.js";
import { FLEET } from "./options.js";
import { diagnosticsOf, advance, muster, resultOf, type Member } from "../run/fleet.js";
import { EXIT, Failure } from "../failure.js";
import { rollUp } from "../outcome.js";
import { driftOf, type Drift } from "../plan/drift.js";
import { keyOf } from "../plan/spelling.js";
import { plan, type Planned, type Prospect, type Tools } from "../run/portal.js";
import type { PortalDrift } from "../report/model/portal.js";
import { driftText } from "../report/text/drift.js";
import { driftJson } from "../report/data/plan.js";
import { checkText } from "../report/text/diagnostic.js";
import { openReading } from "./call/network.js";
import { boundOf, filesOf, toolsOf, wishesOf } from "./call/plan-options.js";

interface Found {
  readonly planned: Planned;
  readonly drifts: readonly Drift[];
  readonly remark?: string;
}

export const words = {
  operands: "[FILE…]",
  options: { all: { meaning: "Look at the settings that are not managed, too." }, ...FLEET },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel drift", "exits with 2 where there is drift"],
    ["lintel drift portals --all", "unmanaged settings too"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const files = await filesOf(io, call);
  const network = openReading(io, call);
  try {
    const tools = toolsOf(io, network, "drift", files);
    const wishes = wishesOf({});
    const prospects = await muster(files, tools);
    const found = await advance(prospects, boundOf(io, call), async (prospect) =>
      look(await plan(readable(prospect), tools, wishes), call.options.all, tools),
    );
    const portals = found.map(portalOf);
    // Warnings are for those who change the file.
    const diagnostics = diagnosticsOf(found).filter(({ severity }) => severity === "error");
    const outcome = {
      command: "drift",
      exit: rollUp(portals.map(({ result }) => result.exit)),
      diagnostics,
      files,
      more: driftJson(portals),
    };
    return {
      outcome,
      text: (paint) =>
        (diagnostics.length > 0 ? `${checkText(outcome, paint)}\n` : "") +
        driftText(portals, paint),
      html: async (made) => {
        const { htmlDriftReport } = await import("../report/html/html.js");
        return htmlDriftReport(portals, outcome, made);
      },
    };
  } finally {
    await network.close();
  }
};

/** Otherwise silence about a portal that nobody can look at would read like "no drift". */
function readable(prospect: Prospect): Prospect {
  if (prospect.desired.portal.mayRead) return prospect;
  throw new Failure(
    "portal-refused",
    `"${prospect.desired.file}" says that the portal cannot be read, so drift cannot be seen.`,
    "If it can be read, remove the line:\n  read: never",
  );
}

function look(planned: Planned, isAll: boolean, { notice }: Tools): Found {
  const { state, live, unable } = planned;
  if (unable) throw unable;
  if (live.kind === "unread") throw new TypeError("a portal that was not read has no drift");
  if (!state || state.history.length === 0) {
    return {
      planned,
      drifts: [],
      remark: state?.journal
        ? OPEN
        : "Nothing was ever applied, so there is nothing to compare with.",
    };
  }
  const whole = isAll ? state.history.at(-1)?.live?.after : undefined;
  if (isAll && !whole) {
    notice(
      `"${planned.portal.name}": the last apply did not see the settings that are not managed.`,
    );
  }
  const drifts = driftOf(
    {
      leaves: state.leaves,
      ...(state.journal && { pending: state.journal.settings }),
      ...(whole && { whole }),
    },
    live.settings,
  );
  return { planned, drifts, ...(state.journal && { remark: OPEN }) };
}

const OPEN = "The outcome of the last apply is unknown; what it was about to send is no drift.";

function portalOf(member: Member<Found>): PortalDrift {
  const { value } = member;
  const { value: _, ...rest } = member;
  const result = resultOf({ ...rest, ...(value && { value: value.planned }) }, "changes");
  const drifts = value?.drifts ?? [];
  const places = new Map(value?.planned.leaves.map(({ path, place }) => [keyOf(path), place]));
  return {
    result: {
      ...result,
      status: result.failure ? result.status : drifts.length > 0 ? "changes" : "unchanged",
      exit: result.failure || drifts.length === 0 ? result.exit : EXIT.pending,
    },
    drifts,
    placeOf: ({ path }) => places.get(keyOf(path)) ?? null,
    ...(value?.remark !== undefined && { remark: value.remark }),
  };
}
