// What the clock's job has found on the portals → one work item that is opened, updated, and closed when nothing is left.
import { createHash } from "node:crypto";
import { ask, attempt, pageOfRun, VERSION } from "./azure.js";
import { madeText } from "./made.js";

const {
  BUILD_BUILDID = "",
  LINTEL_FILES = "",
  PIPELINE_WORKSPACE = "",
  SYSTEM_DEFINITIONID = "",
  WORK_ITEM_TYPE = "",
} = process.env;

/** A project may have several such pipelines. */
const TAG = `lintel-drift-${SYSTEM_DEFINITIONID}`;

/** Far less than a field may hold. */
const LONGEST = 200_000;

/** The form of a bug shows no description. */
const BODY = WORK_ITEM_TYPE === "Bug" ? "Microsoft.VSTS.TCM.ReproSteps" : "System.Description";

const LONGEST_DOCUMENT = 50_000_000;

const TYPE = encodeURIComponent(WORK_ITEM_TYPE);
const PATCH = "application/json-patch+json";

interface Document {
  readonly exitCode: number;
  readonly portals?: readonly { readonly status: string }[];
}

interface State {
  readonly name: string;
  readonly category: string;
}

interface Item {
  readonly id: number;
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** Each process has its own names, and each name a category. */
async function statesOf(): Promise<readonly State[]> {
  const path = `wit/workitemtypes/${TYPE}?${VERSION}`;
  return (await ask<{ readonly states: readonly State[] }>("GET", path)).states;
}

const isOver = ({ category }: State) => category === "Completed" || category === "Removed";

/** Also what people have closed, who have seen what it tells; the newest first. */
async function ourItems(): Promise<readonly Item[]> {
  const query = [
    "SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project",
    `AND [System.Tags] CONTAINS '${TAG}'`,
    "ORDER BY [System.Id] DESC",
  ].join(" ");
  const path = `wit/wiql?$top=100&${VERSION}`;
  const asked = { content: { query } };
  const { workItems } = await ask<{ readonly workItems: readonly Pick<Item, "id">[] }>(
    "POST",
    path,
    asked,
  );
  if (workItems.length === 0) return [];
  const ids = workItems.map(({ id }) => id).join(",");
  const fields = `fields=System.Tags,System.State,${BODY}`;
  const found = await ask<{ readonly value: readonly Item[] }>(
    "GET",
    `wit/workitems?ids=${ids}&${fields}&${VERSION}`,
  );
  // "12" is part of "123", too.
  return found.value
    .filter(({ fields: { "System.Tags": tags = "" } }) =>
      tags.split(";").some((tag) => tag.trim() === TAG),
    )
    .toSorted((one, other) => other.id - one.id);
}

function change(fields: Readonly<Record<string, string>>) {
  const operations = Object.entries(fields).map(([name, value]) => ({
    op: "add",
    path: `/fields/${name}`,
    value,
  }));
  return { content: operations, type: PATCH };
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** As text that nothing marks up: all versions of the platform know it. */
function bodyOf(found: string): { readonly body: string; readonly mark: string } {
  // The platform writes marked-up text in its own way, so that the whole of it cannot be compared.
  const mark = createHash("sha256").update(found).digest("hex").slice(0, 12);
  const from = `<a href="${escaped(pageOfRun(BUILD_BUILDID))}">Found by this run</a> (${mark})`;
  return { body: `<p>${from}</p><pre>${escaped(found)}</pre>`, mark };
}

async function report(items: readonly Item[], open: readonly Item[], found: string): Promise<void> {
  const { body, mark } = bodyOf(found);
  const [item] = open;
  const [newest] = items;
  if ((item ?? newest)?.fields[BODY]?.includes(`(${mark})`)) return;
  if (item) {
    await ask("PATCH", `wit/workitems/${item.id}?${VERSION}`, change({ [BODY]: body }));
    return;
  }
  const title = `Changed by hand on portals of ${LINTEL_FILES}`.slice(0, 250);
  const fields = { "System.Title": title, "System.Tags": TAG, [BODY]: body };
  await ask("POST", `wit/workitems/$${TYPE}?${VERSION}`, change(fields));
}

async function close(items: readonly Item[], states: readonly State[]): Promise<void> {
  if (items.length === 0) return;
  const closed = states.find(({ category }) => category === "Completed");
  if (!closed) throw new Error(`Work items of the type "${WORK_ITEM_TYPE}" are never completed.`);
  const why = `The portals show what was applied: <a href="${escaped(pageOfRun(BUILD_BUILDID))}">this run</a>.`;
  for (const { id } of items) {
    // Without what it told, so that the same is told again where it comes back.
    const fields = { "System.State": closed.name, "System.History": why, [BODY]: `<p>${why}</p>` };
    await ask("PATCH", `wit/workitems/${id}?${VERSION}`, change(fields));
  }
}

await attempt(async () => {
  const states = await statesOf();
  const items = await ourItems();
  const over = states.filter(isOver).map(({ name }) => name);
  const open = items.filter(({ fields }) => !over.includes(fields["System.State"] ?? ""));
  const read = (name: string, most: number) =>
    madeText(`${PIPELINE_WORKSPACE}/drift/${name}`, most);
  const json = read("drift.json", LONGEST_DOCUMENT);
  const found = read("drift.txt", LONGEST);
  const known = json === undefined ? undefined : (JSON.parse(json) as Document);
  const isFound = known?.portals?.some(({ status }) => status === "changes");
  if (isFound && found !== undefined) await report(items, open, found);
  else if (known?.exitCode === 0) await close(open, states);
  // Silence about a portal that cannot be looked at must not read like none.
  else process.stdout.write("Not every portal could be looked at: the work item stays as it is.\n");
});
