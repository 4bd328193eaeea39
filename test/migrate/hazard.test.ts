// Every hazard as a file: what becomes of each property, and that no value differs from the one that a browser computes.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/json.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";
import { PROJECT } from "../support/run.js";
import { inBrowser } from "./browser.js";

const FOLDER = join(PROJECT, "test/migrate/hazards");
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3));

function read(name: string, takesAll: boolean, url?: string) {
  const bytes = readFileSync(join(FOLDER, `${name}.js`));
  const portal = url === undefined ? undefined : readPortalAddress(url);
  return migrate([{ file: `${name}.js`, bytes }], { target: "11.5", takesAll, portal });
}

describe("the outcomes are those that stand beside the file", () => {
  test.each(names)("%s", (name) => {
    const { properties } = read(name, false);
    const found = Object.fromEntries(
      properties
        .filter(({ outcome }) => outcome !== "no-counterpart")
        .map(({ name, outcome, value, cause }): [string, Json] => [
          name,
          cause ? `${outcome}: ${cause.reason}` : { [outcome]: value ?? null },
        ]),
    );
    const golden = join(FOLDER, `${name}.json`);
    if (process.env["UPDATE_GOLDEN"] || !existsSync(golden)) {
      writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    }
    expect(found).toEqual(JSON.parse(readFileSync(golden, "utf8")));
  });
});

describe("no value differs from the one in a browser", () => {
  const address = "https://portal.example.org/portal";
  test.each(names)("%s", (name) => {
    const text = readFileSync(join(FOLDER, `${name}.js`), "utf8");
    for (const url of [undefined, address]) {
      const { global, properties } = read(name, true, url);
      for (const page of ["home/index.html", "home/webmap/viewer.html?a=1#b", "home/signin.html"]) {
        const config = inBrowser(text, `${address}/${page}`, global ?? "esriGeowConfig");
        for (const { name, value, counterpart } of properties) {
          if (!counterpart || value === undefined) continue;
          expect({ [name]: value }).toEqual({ [name]: config[name] ?? null });
        }
      }
    }
  });
});
