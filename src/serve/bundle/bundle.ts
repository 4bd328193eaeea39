// Noun: what another machine needs to read one portal's file as this one does: the files by digest, the variables by value. As a value ⇄ as text.
import type { TimedWindow } from "../due.js";
import { isJsonObject, parseJson } from "../../lib/json.js";
import type { Identity, Stopped } from "../../apply/reconcile.js";

export interface Bundle extends Identity {
  readonly key: string;
  /** From the root of the repository, as are the others; with slashes. */
  readonly file: string;
  readonly pool: string | null;
  readonly windows: readonly TimedWindow[];
  readonly files: readonly (readonly [path: string, digest: string])[];
  /** Every variable that settings and addresses refer to; null for one that was not defined. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Then its portal is left alone, and there are no files. */
  readonly problem?: Stopped | undefined;
}

const FORMAT = 1;

/** One text for one value, because its digest stands in the revision. */
export function bundleText(bundle: Bundle): string {
  const { key, file, name, url, id, pool, windows, files, variables, problem } = bundle;
  return JSON.stringify({
    format: FORMAT,
    key,
    file,
    name,
    url,
    id,
    pool,
    windows: windows.map(({ name: window, fromMs, untilMs }) => [window, fromMs, untilMs]),
    files: files.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    variables: Object.entries(variables).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ...(problem && { problem }),
  });
}

type Text = Omit<Bundle, "windows" | "variables"> & {
  readonly format: number;
  readonly windows: readonly (readonly [string, number, number])[];
  readonly variables: readonly (readonly [string, string | null])[];
};

/** Of a text whose digest was signed, so that its shape is as its version says; undefined where another version has made it. */
export function readBundle(text: string): Bundle | undefined {
  const json = parseJson(text);
  if (!isJsonObject(json) || json["format"] !== FORMAT) return undefined;
  const { format: _format, windows, variables, ...rest } = json as unknown as Text;
  return {
    ...rest,
    windows: windows.map(([name, fromMs, untilMs]) => ({ name, fromMs, untilMs })),
    variables: Object.fromEntries(variables),
  };
}
