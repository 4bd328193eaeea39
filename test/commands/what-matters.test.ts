// Where a change concerns a pipeline, and which values it hands on: of the files of a portal, and of those that they refer to.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { placesThatMatter, valuesReferredTo } from "../../src/commands/init/what-matters.js";
import { folderOf } from "../support/run.js";

function folderWith(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  return (name) => join(folder.path, name);
}

const FILES = {
  "portal.yaml": "title: ${env:LINTEL_VAR_TITLE} ${env:LINTEL_VAR_NONE:-none}",
  "base.yaml": "",
  "portals/a.yaml": "",
  "portals/parts/_base.yaml": "",
  "shared/deep/base.yaml": "text: ${env:LINTEL_VAR_TEXT} $${env:LINTEL_BEID}",
  "policy/hours.yaml": "",
};

test.each<[string, readonly string[], readonly string[]]>([
  ["portal.yaml", ["portal.yaml"], ["portal.yaml"]],
  ["portal.yaml", ["portal.yaml", "base.yaml"], ["portal.yaml", "base.yaml"]],
  ["portal.yaml", ["shared/deep/base.yaml", "policy"], ["portal.yaml", "shared/deep/", "policy/"]],
  ["portals", ["portals/a.yaml", "portals/parts/_base.yaml"], ["portals/"]],
  ["portals/*.yaml", ["portals/a.yaml", "base.yaml"], ["portals/", "base.yaml"]],
  ["**/*.yaml", ["portals/a.yaml"], [""]],
  [".", ["portals/a.yaml", "shared/deep/base.yaml"], [""]],
  ["portals", ["../elsewhere/base.yaml", "..text.yaml"], ["portals/", "..text.yaml"]],
])("%s, made of %j, is concerned by changes at %j", (target, paths, places) => {
  const at = folderWith(FILES);
  expect(placesThatMatter(at(""), target, paths.map(at))).toEqual(places);
});

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
