// Wraps a state's text into a Terraform state, with the text as one output, for servers such as GitLab and Gitea.
import { isJsonList, isJsonObject, parseJson, type JsonObject } from "../lib/json.js";
import { notOurs } from "./refusal.js";
import type { State } from "./state.js";

const OUTPUT = "portal_settings";

/** Only keys of Terraform's format 4, because some servers refuse others. */
export function wrap({ serial, lineage }: Pick<State, "serial" | "lineage">, text: string): string {
  return JSON.stringify({
    version: 4,
    // The oldest version whose states have these keys. Later ones can read them.
    terraform_version: "1.9.0",
    serial,
    lineage,
    outputs: { [OUTPUT]: { value: text, type: "string", sensitive: true } },
    resources: [],
    check_results: null,
  });
}

/** Fails with state-not-ours if another program wrote the content. */
export function unwrap(text: string, place: string) {
  const json = parseJson(text);
  if (!isJsonObject(json))
    throw notOurs(place, json === undefined ? whatIs(text) : "it is JSON, but not an object");
  const { serial, lineage } = json;
  return { document: documentIn(json, place), serial, lineage };
}

function documentIn({ version, outputs, resources }: JsonObject, place: string): string {
  const output = isJsonObject(outputs) ? outputs[OUTPUT] : undefined;
  const isAlone = isJsonObject(outputs) && Object.keys(outputs).length === 1;
  const isEmpty = isJsonList(resources) && resources.length === 0;
  const value = isJsonObject(output) && output["type"] === "string" ? output["value"] : undefined;
  if (version === 4 && isAlone && isEmpty && typeof value === "string") return value;
  const what =
    typeof version === "number" && (isJsonObject(outputs) || isJsonList(resources))
      ? "it is a state of Terraform or OpenTofu, with other outputs or resources"
      : "it is JSON in another format";
  throw notOurs(place, what);
}

function whatIs(text: string): string {
  if (/^\s*</.test(text)) return "it is a web page, or XML";
  return "it is not JSON";
}
