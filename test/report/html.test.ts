// The report as a page: what stands in the file, whoever opens it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { misleading } from "../../src/lib/text.js";
import { EXIT, Failure } from "../../src/failure.js";
import { outcomeOfFailure } from "../../src/outcome.js";
import type { PortalResult } from "../../src/plan/result.js";
import { htmlDriftReport, htmlReport } from "../../src/report/html-report.js";
import { driftChange } from "../../src/report/drift-report.js";
import { fc } from "../support/property.js";
import { folderOf, lintel } from "../support/run.js";
import { fleetOf } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { changeOf, named, planOf, resultOf, resultOfStory, STORIES } from "./results.js";
import { anyResult } from "./rude.js";

const MOST = 3_000_000;

const report = (...results: PortalResult[]) => htmlReport(results, PLAN, MADE);
const policyOf = (text: string) =>
  /http-equiv="Content-Security-Policy" content="([^"]*)"/
    .exec(text)?.[1]
    ?.replaceAll("&#39;", "'") ?? "";

describe("in every report,", () => {
  test.each(STORIES)("%s asks for nothing, and its policy lets nothing else run", (story) => {
    const text = report(resultOfStory(story), ...fleetOf(3));
    expect(policyOf(text)).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+'; script-src 'sha256-[^; ]+'; form-action 'none'; base-uri 'none'$/,
    );
    expect(text).not.toMatch(/<link|<img|<iframe|@import|url\(| style=| on\w+=/);
  });

  test("no text is markup", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 3 }), (results) => {
        const text = report(...results);
        const known =
          /^<\/?(?:!doctype|html|head|meta|title|style|script|body|div|header|main|section|p|span|b|h[1-4]|dl|dt|dd|ul|li|code|a|bdi|time|svg|rect|form|label|input|select|option|output|button|table|thead|tbody|tr|th|td|wbr|details|summary|del|ins|figure|figcaption)(?=[\s>])/;
        const tags = text.replace(/<(style|script)>[^]*?<\/\1>/g, "").match(/<[^>]*>?/g) ?? [];
        expect(tags.filter((tag) => !known.test(tag))).toEqual([]);
        expect(tags.filter((tag) => /\son\w+=|javascript:/i.test(tag))).toEqual([]);
        // Between the letters of an emoji a joiner is at home.
        expect(text.replaceAll("\u200d", "").match(misleading())).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  test("the same run makes the same page", () => {
    expect(report(...fleetOf(30))).toBe(report(...fleetOf(30)));
  });
});

describe("it shows", () => {
  const text = report(resultOfStory("banner-off-after-the-day"));

  test("when, from which commit and by which job it was made", () => {
    expect(text).toContain('<time datetime="2026-06-15T08:30:00.000Z">2026-06-15 08:30 UTC</time>');
    expect(text).toContain("<code>4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e</code>");
    expect(text).toMatch(/<a href="https:\/\/ci\.example\.com\/jobs\/1234"/);
  });

  test("a job that is no address of the web without a link", () => {
    const forged = htmlReport([], PLAN, { ...MADE, job: "javascript:alert(1)" });
    expect(forged).toContain("javascript:alert(1)");
    expect(forged).not.toContain("<a ");
  });

  test("before and after, the line of the file, and what stops the apply with where to read on", () => {
    expect(text).toMatch(/<del class="whole"><code>true<\/code>/);
    expect(text).toMatch(/<ins class="whole"><code>false<\/code>/);
    expect(text).toContain("desired.yaml:12");
    expect(text.indexOf("would be switched off.")).toBeLessThan(text.indexOf("desired.yaml:12"));
    expect(text).toContain("<code>lintel explain disable-notice</code>");
    expect(text).not.toContain("--allow");
  });

  test("how the banner looked and will look", () => {
    expect(text).toMatch(/<figcaption>Before<\/figcaption>\s*<div class="picture c0">/);
    expect(text).toContain(".c0 .banner { background: #b30000; color: white; }");
    expect(text).toMatch(/<figcaption>After<\/figcaption>\s*<p class="nothing">No banner is shown/);
  });

  test("that a banner cannot be read well", () => {
    const settings = {
      informationalBanner: { text: "x", bgColor: "yellow", fontColor: "white", enabled: true },
    };
    const changes = [changeOf("informationalBanner.fontColor", "black", "white")];
    const plan = planOf(changes, { request: { parameters: Object.keys(settings), settings } });
    const page = report(resultOf(plan));
    expect(page).toContain("✓ Contrast 19.55:1");
    expect(page).toContain("✕ Contrast 1.07:1; WCAG AA needs 4.5:1.");
  });

  test("long texts word by word and lists entry by entry", () => {
    const before = "This portal is for members of Example Organisation and their guests.";
    const page = report(
      resultOf(
        planOf([
          changeOf("anonymousAccessNotice.text", before, before.replace("guests", "friends")),
          changeOf("portalConfigProperties.httpsDomains", ["a", "b"], ["b", "c"]),
        ]),
      ),
    );
    expect(page).toContain("and their <del>guests</del><ins>friends</ins>.");
    expect(page).toContain("<del><code>&quot;a&quot;</code></del>");
    expect(page).toContain("… 1 unchanged");
    expect(page).toContain("<ins><code>&quot;c&quot;</code></ins>");
  });

  test("why the run failed, and what to do", () => {
    const failure = new Failure(
      "state-locked",
      "It is <locked>.",
      "Wait, or:\n  lintel state unlock",
    );
    const page = htmlReport([], outcomeOfFailure("apply", failure), MADE);
    expect(page).toContain("It is &lt;locked&gt;. [state-locked]");
    expect(page).toContain("<code>lintel state unlock</code>");
  });

  test("drift, from what was applied to what the portal shows", () => {
    const { plan, ...rest } = resultOfStory("drifted-banner");
    const drifts = [
      { path: ["informationalBanner", "text"], proven: "Open.", live: "Closed.", isManaged: true },
      { path: ["informationalBanner", "enabled"], proven: true, live: false, isManaged: true },
      { path: ["blockBetaApps"], proven: false, live: true, isManaged: false },
    ];
    const page = htmlDriftReport(
      [{ result: { ...rest, plan }, changes: drifts.map((each) => driftChange(each, null)) }],
      { ...PLAN, command: "drift", exit: EXIT.pending },
      MADE,
    );
    expect(page).toContain("1 portal: 3 settings changed since the last apply.");
    expect(page).toContain("Each change: value after the last apply → value now.");
    expect(page).toMatch(/Open\.&quot;<\/code>[^]*Closed\.&quot;<\/code>/);
    expect(page).toContain("The file does not manage it.");
    expect(page).toMatch(/<figcaption>As applied<[^]*Open\.[^]*<figcaption>Now<[^]*No banner/);
    expect(page).not.toContain("Request");
  });
});

describe("many portals", () => {
  test("a thousand take less than 3 MB and keep every change", () => {
    const text = report(...fleetOf(1_000));
    expect(Buffer.byteLength(text)).toBeLessThan(MOST);
    expect(new Set(text.match(/customer-\d{4}/g)).size).toBe(1_000);
    expect(text).not.toContain("not shown in full");
    expect(text).not.toContain("more change");
  });

  test("texts without end are shortened", () => {
    const long = "word ".repeat(20_000);
    const big = resultOf(planOf([changeOf("anonymousAccessNotice.text", `${long}a`, `b${long}`)]));
    // Seven times what a page may take.
    const results = Array.from({ length: 100 }, (_, at) => named(big, `p${at}`));
    const small = named(resultOfStory("drifted-banner"), "small");
    const text = report(...results, small);
    expect(Buffer.byteLength(text)).toBeLessThan(MOST);
    expect(text).toContain(">small<");
  });
});

describe("the command", () => {
  test("writes the same page for the same SOURCE_DATE_EPOCH", async () => {
    const folder = folderOf({
      "portal.yaml":
        'targetVersion: "11.5"\nsetings: {}\nportal: { url: "https://gis.example.com/portal/sharing/rest" }\n',
    });
    onTestFinished(() => folder.remove());
    const words = ["validate", "--output", "html=out/report.html", "--output", "text"];
    const run = async (env: Record<string, string>) => {
      expect((await lintel(words, { cwd: folder.path, env })).exit).toBe(EXIT.invalid);
      return readFileSync(join(folder.path, "out/report.html"), "utf8");
    };
    const env = {
      SOURCE_DATE_EPOCH: "1781512200",
      CI_COMMIT_SHA: "c0ffee",
      CI_JOB_URL: "https://ci.example.com/7",
    };
    const page = await run(env);
    expect(await run(env)).toBe(page);
    expect(page).toContain("2026-06-15 08:30 UTC");
    expect(page).toContain("<code>c0ffee</code>");
    expect(page).toContain("The key &quot;setings&quot; is not known");
    expect(page).toContain("1 error in 1 file.");
  });

  test("names the repository in headline and title, and none of its remote's credentials", async () => {
    const folder = folderOf({
      "portals/a.yaml":
        'targetVersion: "11.5"\nportal: { url: "https://gis.example.com/portal/sharing/rest" }\n',
    });
    onTestFinished(() => folder.remove());
    const words = ["validate", "portals", "--output", "html"];
    const pageOf = async () => (await lintel(words, { cwd: folder.path })).stdout;
    const titleOf = (page: string) => /<title>([^<]*)</.exec(page)?.[1];
    const name = basename(folder.path);
    expect(titleOf(await pageOf())).toBe(`Check of the files · ${name}: No problems. – Lintel`);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });
    git("init", "--quiet");
    const page = await pageOf();
    expect(titleOf(page)).toContain(`· ${name}:`);
    expect(page).not.toContain("Repository");
    git("remote", "add", "origin", "https://ci:s3cret@gitlab.example.com/gis/portals.git");
    const cloned = await pageOf();
    expect(titleOf(cloned)).toContain("· gis/portals:");
    expect(cloned).toMatch(/<h1>\s*Check of the files <span class="of">gis\/portals</);
    expect(cloned).toContain("gitlab.example.com/gis/portals");
    expect(cloned).not.toContain("s3cret");
  });

  test.each(["1e20", "-1", "99999999999999", "soon"])(
    "takes no time from a SOURCE_DATE_EPOCH of %s, and says so",
    async (SOURCE_DATE_EPOCH) => {
      const words = ["plan", "--offline", "examples/fleet/portals", "--output", "html"];
      const ran = await lintel(words, { env: { SOURCE_DATE_EPOCH } });
      expect(ran.exit).toBe(EXIT.done);
      expect(ran.stderr).toContain("SOURCE_DATE_EPOCH is ignored");
    },
  );

  test("writes every letter as it stands in the program", async () => {
    const words = ["plan", "--offline", "examples/fleet/portals", "--output", "html"];
    const { stdout, exit } = await lintel(words);
    expect(exit).toBe(EXIT.done);
    expect(stdout).toContain(" – Lintel</title>");
  });

  test("writes a page about a run that failed", async () => {
    const { stdout, exit } = await lintel(["plan", "--load", "package.json", "--output", "html"]);
    expect(exit).toBe(EXIT.usage);
    expect(stdout).toContain("&quot;package.json&quot; is no saved plan. [wrong-usage]");
  });
});
