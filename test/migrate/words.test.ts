// What people read about the properties of old files: the lines, the values seen, and nothing invented.
import { afterAll, describe, expect, test } from "vitest";
import { diagnoseFiles, diagnoseProperties } from "../../src/migrate/diagnose.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";

const engine = openEngine();
afterAll(() => engine.close());

async function told(text: string, url?: string) {
  const portal = url === undefined ? undefined : readPortalAddress(url);
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const migration = await migrate(files, { target: "11.5", takesAll: true, portal, engine });
  const all = [
    ...diagnoseFiles(migration, portal),
    ...[...diagnoseProperties(migration.properties).values()].flat(),
  ];
  return [...new Set(all)].map(({ code, message, help, place, related }) => ({
    code,
    message,
    help,
    at: [place, ...related.map((each) => each.place)].map((each) => each?.line),
    excerpt: place?.excerpt.text,
  }));
}

const config = (...lines: string[]) => `window.esriGeowConfig = {\n${lines.join(",\n")}\n};`;
const ADDRESS = "https://gis.example.com/portal";

describe("where the portal is known", () => {
  const byPage = config('surveyUrl: "https://a.example" + location.pathname');

  test("its path is the open page's, and no address is asked for", async () => {
    const [found] = await told(byPage, ADDRESS);
    expect(found?.message).toBe(
      'The value of "surveyUrl" is unknown: it depends on which page of the portal is open.',
    );
    expect(found?.help).toBe(
      "Read it in the browser's console on the old portal (such as esriGeowConfig.surveyUrl), and add it:\n  surveyUrl: …",
    );
    const [unknown] = await told(byPage);
    expect(unknown?.help).toContain("--portal-url");
  });

  test("over http, one notice says that the values are those over http", async () => {
    const two = config("surveyUrl: location.protocol", "extentService: location.protocol");
    const codes = async (text: string, url: string) =>
      (await told(text, url)).map(({ code }) => code);
    expect(await codes(two, ADDRESS.replace("https", "http"))).toEqual(["address-scheme"]);
    expect(await codes(two, ADDRESS)).toEqual([]);
  });
});

test("reports one cause once, with every line", async () => {
  const found = await told(
    config(
      "tokenExpiration: +document.cookie",
      "surveyUrl: lib.url",
      'extentService: "https://a.example/" + document.cookie',
      "httpsDomains: [document.cookie]",
    ),
  );
  expect(found.map(({ at }) => at)).toEqual([[2, 4, 5], [3]]);
  expect(found[0]?.message).toMatch(
    /^The values of "tokenExpiration".*, "extentService".* and "httpsDomains".* are unknown: they depend on the cookies\.$/,
  );
});

test("an excerpt of a name that is almost a setting's shows the name, and no value", async () => {
  for (const line of ['tokenExpiraton: "SECRET"', '"tokenExpiraton": "SECRET"']) {
    const [found] = await told(config("surveyUrl: 5", `  ${line}`));
    const near = (await told(config(`  ${line}`))).find(({ code }) => code === "near-name");
    expect(near?.excerpt).toBe(`  ${line.replace("SECRET", "******")}`);
    expect(JSON.stringify(found)).not.toContain("SECRET");
  }
});

describe("no value is shown that is made up here", () => {
  test.each([
    "tokenExpiration: lib.minutes",
    "httpsDomains: [lib.host()]",
    "httpsDomains: [document.cookie, location.search]",
    'surveyUrl: "https://a.example/" + lib.path',
    "surveyUrl: location.hash ? location.hash : lib.x",
    "footerLinks: lib.links || [{ title: lib.title }]",
    "surveyUrl: location.host + location.pathname",
    "httpsDomains: lib.sorted([])",
    'surveyUrl: location.protocol === "http:" ? lib.url : "https://a.example"',
    "tokenExpiration: lib.a.b(function (c) { return c.d; }).e",
    'httpsDomains: { beta: ["b.example"] }[location.search] || ["a.example"]',
    "surveyUrl: localStorage.getItem('a') || navigator.userAgent + document.referrer",
  ])("%s", async (line) => {
    const found = await told(`${config(line)}\nlib.change(esriGeowConfig);`);
    expect(found).not.toEqual([]);
    for (const { message } of found) {
      expect(message).not.toMatch(
        /forced|outside|changed elsewhere|"changed|zq|portal\.example|\[\w|#\d|\{/,
      );
    }
  });

  test("nor what an object holds, which may be a key", async () => {
    const key = (value: string) => `[{ title: "a", key: "${value}" }]`;
    const [found] = await told(
      config(`footerLinks: location.protocol === "https:" ? ${key("SECRET1")} : ${key("SECRET2")}`),
    );
    expect(found?.message).toBe('"footerLinks" depends on the protocol of the page.');
  });

  test("and those that a portal may have are", async () => {
    const [found] = await told(config('tokenExpiration: location.search === "?a" ? 5 : 60'));
    expect(found?.message).toContain('"tokenExpiration" (60 or 5)');
    const address = "//services.example.org/server/rest/services/World/MapServer";
    const [assumed] = await told(config(`extentService: location.protocol + "${address}"`));
    expect(assumed?.message).toBe(
      `"extentService" is "http:${address}" over http and "https:${address}" over https.`,
    );
  });
});

test.each(["export default {};", 'import "a";\nwindow.esriGeowConfig = {};', "a = import.meta;"])(
  "a module is told as one: %s",
  async (text) => {
    const [found] = await told(text);
    expect(found?.message).toContain("This is a module");
    expect(found?.excerpt).toMatch(/export default|import/);
    expect(found?.help).toContain("refused");
  },
);

test("a script added by an element is reported like one by document.write", async () => {
  const [written] = await told(`document.write("<script src='a.js'></script>");${config("a: 1")}`);
  const [added] = await told(
    `${config("tokenExpiration: 5")}\nvar s = document.createElement("script");\ns.src = "a.js";`,
  );
  expect(written?.code).toBe("script-error");
  expect(added).toMatchObject({ message: written?.message, help: written?.help, at: [5] });
});

test("an error of the script shows its type and line, not its text", async () => {
  const found = await told(
    `${config('bingMapsKey: "SECRET"', "tokenExpiration: 5")}\nthrow new RangeError(esriGeowConfig.bingMapsKey);`,
  );
  expect(found[0]).toMatchObject({
    code: "script-error",
    message: "The script ends here with an error (RangeError).",
    at: [5],
  });
  expect(JSON.stringify(found)).not.toContain("SECRET");
});

test("a banner of the old file points to the setting that replaces it", async () => {
  const files = [{ file: "config.js", bytes: Buffer.from(config("classificationBanner: true")) }];
  const { properties } = await migrate(files, { target: "11.5", takesAll: false, engine });
  expect(properties[0]?.message).toContain("informationalBanner");
});

test('a script that ends early in a test page is not reported as "not set"', async () => {
  const [found] = await told(
    `if (document.cookie === "a=1") throw new Error("no");\n${config("tokenExpiration: 5")}`,
  );
  expect(found?.message).toBe(
    'The value of "tokenExpiration" is unknown: it depends on a condition that only some pages may meet.',
  );
});
