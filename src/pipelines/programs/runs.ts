// A pull request on Azure → the newest run that planned it, and what that run attached as its plan.
import { ask, read, VERSION } from "./azure.js";

interface List<Entry> {
  readonly value: readonly Entry[];
}

export interface Run {
  readonly id: number;
  readonly sourceVersion: string;
  readonly result: string;
}

interface Attachment {
  readonly name: string;
  readonly _links: { readonly self: { readonly href: string } };
}

export async function newestRun(pull: number, definitions: string): Promise<Run | undefined> {
  const query = [
    `definitions=${definitions}`,
    "reasonFilter=pullRequest",
    `branchName=refs/pull/${pull}/merge`,
    "statusFilter=completed",
    "queryOrder=finishTimeDescending",
    "$top=20",
    VERSION,
  ];
  const { value } = await ask<List<Run>>("GET", `build/builds?${query.join("&")}`);
  return value.find(({ result }) => result !== "canceled");
}

/** The run may have been rewritten by whoever proposes: what it attached is text, and where to get it is ours to say. */
export async function planOf({ id }: Run, most: number): Promise<string | undefined> {
  const version = "api-version=7.0-preview.2";
  const path = `build/builds/${id}/attachments/lintel-plan?${version}`;
  const { value } = await ask<List<Attachment>>("GET", path);
  const found = value.flatMap(({ name, _links }) => {
    const [, attempted] = /^plan-(\d+)$/.exec(name) ?? [];
    const [, at] = /\/([0-9a-f-]{36}\/[0-9a-f-]{36})\/attachments\//i.exec(_links.self.href) ?? [];
    return attempted && at ? [{ attempted: Number(attempted), at }] : [];
  });
  const newest = found.toSorted((one, other) => other.attempted - one.attempted)[0];
  if (!newest) return undefined;
  const from = `build/builds/${id}/${newest.at}/attachments/lintel-plan/plan-${newest.attempted}`;
  return await read(`${from}?${version}`, most);
}
