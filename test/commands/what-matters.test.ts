// Which values a pipeline hands on: those that the files of its portals refer to.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { valuesReferredTo } from "../../src/commands/init/what-matters.js";
import { folderOf } from "../support/run.js";

function folderWith(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  return (name) => join(folder.path, name);
}

const FILES = {
  "portal.yaml": "title: ${env:LINTEL_VAR_TITLE} ${env:LINTEL_VAR_NONE:-none}",
  "shared/deep/base.yaml": "text: ${env:LINTEL_VAR_TEXT} $${env:LINTEL_BEID}",
  "policy/hours.yaml": "",
};

test("the values that files refer to are handed on where they are known, and nothing else", () => {
  const at = folderWith(FILES);
  const env = {
    LINTEL_VAR_TITLE: "GIS",
    LINTEL_VAR_TEXT: "",
    LINTEL_VAR_MORE: "x",
    LINTEL_BEID: "b",
  };
  const paths = [at("shared/deep/base.yaml"), at("portal.yaml"), at("policy"), at("gone.yaml")];
  expect(valuesReferredTo(paths, { env })).toEqual([
    ["LINTEL_VAR_TEXT", ""],
    ["LINTEL_VAR_TITLE", "GIS"],
  ]);
});
