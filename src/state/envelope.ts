// A state's text ↔ the portable envelope: what Terraform, GitLab and Gitea take for a state of their own, with our text as one output.
import { isJsonList, isJsonObject, parseJson, type JsonObject } from "../lib/json.js";
import { notOurs } from "./refusal.js";
import type { State } from "./state.js";

const OUTPUT = "portal_settings";

/** The keys of Terraform's fourth format and no others, since some servers refuse what they do not know. */
export function wrap({ serial, lineage }: Pick<State, "serial" | "lineage">, text: string): string {
  return JSON.stringify({
    version: 4,
    // The oldest whose states have these keys: each later one reads them.
    terraform_version: "1.9.0",
    serial,
    lineage,
    outputs: { [OUTPUT]: { value: text, type: "string", sensitive: true } },
    resources: [],
    check_results: null,
  });
}

/** Fails with state-not-ours for everything that another program keeps there. */
export function unwrap(text: string, place: string) {
  const json = parseJson(text);
  if (!isJsonObject(json))
    throw notOurs(place, json === undefined ? whatIs(text) : "it is JSON, and no object");
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
      : "it is JSON of another form";
  throw notOurs(place, what);
}

function whatIs(text: string): string {
  if (/^\s*</.test(text)) return "it is a web page, or XML";
  return "it is no JSON";
}
