// Every hazard as a file: what becomes of each property, and that no value differs from the one that a browser computes.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isEqual, type Json } from "../../src/json.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import { PROJECT } from "../support/run.js";
import { inBrowser } from "./browser.js";
import { UNLIKE_ENGINE } from "./unlike.js";

const FOLDER = join(PROJECT, "test/migrate/hazards");
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3));

const engine = openEngine();
afterAll(() => engine.close());

function read(name: string, takesAll: boolean, url?: string) {
  const bytes = readFileSync(join(FOLDER, `${name}.js`));
  const portal = url === undefined ? undefined : readPortalAddress(url);
  return migrate([{ file: `${name}.js`, bytes }], { target: "11.5", takesAll, portal, engine });
}

describe("the outcomes are those that stand beside the file", () => {
  test.each(names)("%s", async (name) => {
    const { properties } = await read(name, false);
    const found = Object.fromEntries(
      properties
        .filter(({ outcome }) => outcome !== "no-counterpart")
        .map(({ name, outcome, value, cause }): [string, Json] => [
          name,
          cause ? `${outcome}: ${cause.why}` : { [outcome]: value ?? null },
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
  test.each(names)("%s", async (name) => {
    const text = readFileSync(join(FOLDER, `${name}.js`), "utf8");
    const wrong = [];
    for (const url of [undefined, address]) {
      const { evaluation, properties } = await read(name, true, url);
      const { name: global = "esriGeowConfig", isModule } = evaluation?.look ?? {};
      // No name of the page leads to what a module gives back.
      const claimed = properties.filter(
        ({ value, counterpart }) => counterpart && value !== undefined && !isModule,
      );
      for (const page of ["home/index.html", "home/webmap/viewer.html?a=1#b", "home/signin.html"]) {
        const config = inBrowser(text, `${address}/${page}`, global);
        for (const { name, value = null } of claimed) {
          const real = config[name] ?? null;
          if (!isEqual(value, real)) wrong.push({ page, [name]: value, instead: real });
        }
      }
    }
    if (Object.hasOwn(UNLIKE_ENGINE, name)) expect(wrong).not.toEqual([]);
    else expect(wrong).toEqual([]);
  });
});
