// A queue whose rows somebody may write who has no key → a forged revision, an older one, and a checkout that lags behind: what came of each.
import { until, type Machine } from "./machines.js";
import type { Organisation } from "./organisation.js";
import { readBundle, bundleText } from "../../../src/serve/bundle/bundle.js";
import { rowOf, type RevisionRow } from "../../../src/serve/bundle/revision.js";
import { digestOfBytes, digestOfText } from "../../../src/lib/digest.js";
import { secret } from "../../../src/secret.js";

interface Document {
  readonly queue: string;
  readonly number: number;
  readonly commit: string | null;
  readonly bundles: Readonly<Record<string, string>>;
}

export async function revisionOf({ ask }: Organisation): Promise<RevisionRow> {
  const [row] = await ask("SELECT number, document, signature FROM lintel.revision");
  return {
    number: Number(row?.["number"]),
    document: String(row?.["document"]),
    signature: String(row?.["signature"]),
  };
}

/** Every portal is to be looked at now, and all workers see that row. */
export async function putRevision({ ask }: Organisation, row: RevisionRow): Promise<void> {
  const { number, document, signature } = row;
  await ask("UPDATE lintel.revision SET number = $1, document = $2, signature = $3", [
    number,
    document,
    signature,
  ]);
  const { bundles } = JSON.parse(document) as Document;
  await ask(
    `UPDATE lintel.portal p SET digest = given.digest, due = now(), put_off = NULL
     FROM unnest($1::text[], $2::text[]) AS given (key, digest) WHERE p.key = given.key`,
    [Object.keys(bundles), Object.values(bundles)],
  );
}

/** As it would be if somebody had merged a text, but for the key. */
export async function forge(organisation: Organisation, from: string, to: string): Promise<void> {
  const { ask } = organisation;
  const row = await revisionOf(organisation);
  const { queue, number, commit, bundles } = JSON.parse(row.document) as Document;
  const parts = await ask("SELECT digest, bytes FROM lintel.part WHERE digest = ANY($1)", [
    Object.values(bundles),
  ]);
  const texts = new Map(parts.map(({ digest, bytes }) => [digest, String(bytes)]));
  const put = async (bytes: Buffer) => {
    const digest = digestOfBytes(bytes);
    await ask("INSERT INTO lintel.part VALUES ($1, $2) ON CONFLICT DO NOTHING", [digest, bytes]);
    return digest;
  };
  const replaced = new Map<string, string>();
  const forged = new Map<string, string>();
  for (const [key, digest] of Object.entries(bundles)) {
    const bundle = readBundle(texts.get(digest) ?? "");
    if (!bundle) throw new Error(`"${key}" has no bundle`);
    const files: (readonly [string, string])[] = [];
    for (const [name, was] of bundle.files) {
      if (name === "_base.yaml" && !replaced.has(was)) {
        const [part] = await ask("SELECT bytes FROM lintel.part WHERE digest = $1", [was]);
        const text = String(part?.["bytes"]).replace(`text: ${from}`, `text: ${to}`);
        replaced.set(was, await put(Buffer.from(text)));
      }
      files.push([name, replaced.get(was) ?? was]);
    }
    const text = bundleText({ ...bundle, files });
    forged.set(key, digestOfText(text));
    await put(Buffer.from(text));
  }
  const next = { queue, number: number + 1, commit, bundles: forged };
  await putRevision(organisation, rowOf(next, secret("another key than that of the queue")));
}

/** All portals' turns have come, and nobody could look at any. */
export async function refusedEverywhere(
  { ask }: Organisation,
  machines: () => readonly Machine[],
): Promise<void> {
  await until(machines, async () => {
    const [row] = await ask("SELECT count(*) AS left FROM lintel.portal WHERE put_off IS NULL");
    return Number(row?.["left"]) === 0;
  });
}
