// Variables: a base leaves open what differs from portal to portal.
import { expect, onTestFinished, test } from "vitest";
import { formatPlace } from "../../src/diagnostic.js";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { toJson, type Node } from "../../src/document/read/tree.js";
import { desiredAt } from "../../src/document/schedule/at.js";
import { formatSpot } from "../../src/settings.js";
import { blocks } from "../support/manual.js";
import { folderOf } from "../support/run.js";

const BASE = `targetVersion: "11.5"
vars:
  city: !required
  isOpen: false
  minutes: 60
settings:
  informationalBanner: { text: "Welcome to \${vars.city}.", enabled: "\${vars.isOpen}" }
  portalConfigProperties: { tokenExpiration: "\${vars.minutes}" }
`;
const PORTAL = "portal: { url: https://gis.example.com/portal/sharing/rest }\n";

function checked(files: Readonly<Record<string, string>>, env = {}, file = "portal.yaml") {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  const { root, diagnostics } = check(file, readSource({ file, cwd }), { cwd, env });
  const value = root && (JSON.parse(JSON.stringify(toJson(root))) as Record<string, unknown>);
  return { root, settings: value?.["settings"], diagnostics };
}

test("a portal's own values lie on top of its base's, and keep their types", () => {
  const { settings, diagnostics } = checked({
    "_base.yaml": BASE,
    "portal.yaml": `extends: _base.yaml\n${PORTAL}vars: { city: North, isOpen: true }\n`,
  });
  expect(diagnostics).toEqual([]);
  expect(settings).toEqual({
    informationalBanner: { text: "Welcome to North.", enabled: true },
    portalConfigProperties: { tokenExpiration: 60 },
  });
});

test("the place of a value is that of its variable", () => {
  const { root } = checked({
    "_base.yaml": BASE,
    "portal.yaml": `extends: _base.yaml\n${PORTAL}vars:\n  city: North\n  minutes: 30\n`,
  });
  const { leaves } = desiredAt(root as Node, 0);
  const places = leaves.map(({ path, place }) => `${path.join(".")} ${place && formatSpot(place)}`);
  expect(places).toEqual([
    "informationalBanner.text _base.yaml:7:32",
    "informationalBanner.enabled _base.yaml:4:11",
    "portalConfigProperties.tokenExpiration portal.yaml:5:12",
  ]);
});

test("a portal without a required one is named, and so is the line that requires it", () => {
  const { diagnostics } = checked({
    "_base.yaml": BASE,
    "portal.yaml": `extends: _base.yaml\n${PORTAL}`,
  });
  expect(diagnostics).toMatchObject([
    {
      code: "missing-key",
      file: "portal.yaml",
      message: 'The variable "vars.city" is required and has no value.',
      help: "Add it to portal.yaml:\n  vars:\n    city: …",
    },
  ]);
  expect(diagnostics[0]?.related.map(formatPlaceOf)).toEqual(["_base.yaml:3:9"]);
});

const formatPlaceOf = ({ place }: { readonly place: { readonly file: string } }) =>
  formatPlace({ file: place.file, place: place as never });

test("a mistake in a variable names its line and the line that uses it", () => {
  const { diagnostics } = checked({
    "_base.yaml": BASE,
    "portal.yaml": `extends: _base.yaml\n${PORTAL}vars:\n  city: North\n  isOpen: "yes"\n`,
  });
  expect(diagnostics).toMatchObject([
    { code: "wrong-type", file: "portal.yaml", place: { line: 5 } },
  ]);
  expect(diagnostics[0]?.related).toMatchObject([
    { place: { file: "_base.yaml", line: 7 }, message: 'uses it as "${vars.isOpen}"' },
  ]);
});

test("a mistake in a text names the variables that it holds", () => {
  const { diagnostics } = checked({
    "_base.yaml": `targetVersion: "11.5"\nsettings:\n  informationalBanner:\n    bgColor: "\${vars.colour}x"\n`,
    "portal.yaml": `extends: _base.yaml\n${PORTAL}vars:\n  colour: navy\n`,
  });
  expect(diagnostics).toMatchObject([
    { code: "unknown-colour", file: "_base.yaml", place: { line: 4 } },
  ]);
  expect(diagnostics[0]?.related).toMatchObject([
    { place: { file: "portal.yaml", line: 4 }, message: 'is what "${vars.colour}" holds' },
    { place: { file: "_base.yaml", line: 4 } },
    { place: { file: "portal.yaml", line: 1 } },
  ]);
});

test("a base that requires a variable is valid alone, and keeps a value below it", () => {
  expect(checked({ "_base.yaml": BASE }, {}, "_base.yaml").diagnostics).toEqual([]);
  const { diagnostics, settings } = checked({
    "_values.yaml": "vars: { city: South }\n",
    "_base.yaml": BASE,
    "portal.yaml": `extends: [_values.yaml, _base.yaml]\n${PORTAL}`,
  });
  expect(diagnostics).toEqual([]);
  expect(settings).toMatchObject({ informationalBanner: { text: "Welcome to South." } });
});

test.each([
  ["env:LINTEL_PASSWORD", "forbidden-variable"],
  ["env:HOME", "forbidden-variable"],
  ["file:/run/secrets/key", "outside-repository"],
])("a variable cannot take ${%s}, because settings are shown", (reference, code) => {
  const { diagnostics } = checked(
    {
      "_base.yaml": BASE,
      "portal.yaml": `extends: _base.yaml\n${PORTAL}vars: { city: "\${${reference}}" }\n`,
    },
    { LINTEL_PASSWORD: "hunter2hunter2", HOME: "/home/ada" },
  );
  expect(diagnostics).toMatchObject([{ code, file: "portal.yaml" }]);
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});

test("many uses of a large variable are bounded", () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `    - { title: "${at}", url: "#" }`);
  const uses = Array.from({ length: 1000 }, (_, at) => `  p${at}: "\${vars.links}"`);
  const { diagnostics } = checked({
    "portal.yaml": `targetVersion: "11.5"\n${PORTAL}vars:\n  links:\n${rows.join("\n")}\nx-uses:\n${uses.join("\n")}\n`,
  });
  expect(diagnostics[0]?.message).toBe("The references of this file stand for more than 4 MiB.");
});

test("the files of the manual are valid together", () => {
  const [base = "", portal = ""] = blocks("yml", ["docs/desired-state.md"]).map(([, text]) => text);
  const { settings, diagnostics } = checked(
    {
      "_base.yaml": `targetVersion: "11.5"\n${base}`,
      "portals/district-3.yaml": portal,
    },
    {},
    "portals/district-3.yaml",
  );
  expect(diagnostics).toEqual([]);
  expect(settings).toEqual({
    anonymousAccessNotice: { text: "Guests may look at public maps of district 3." },
    portalConfigProperties: { tokenExpiration: 60 },
  });
});
