// What the pages make of texts, addresses and colours that nobody has checked.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mailHref, safeHref } from "../../src/pages/address.js";
import { home, type Viewer } from "../../src/pages/home.js";
import { html, toText, type Part } from "../../src/pages/html.js";
import { renderContrast } from "../../src/pages/contrast.js";
import { appsOf } from "../../src/pages/launcher.js";
import { toPage } from "../../src/pages/page.js";
import { renderText } from "../../src/pages/text.js";
import { PROJECT } from "../support/run.js";
import type { Settings } from "../../schemas/names.js";

const show = (settings: unknown, viewer: Viewer = "anonymous", answer?: "accepted" | "declined") =>
  toPage(
    home({
      settings: settings as Settings,
      viewer,
      name: "A portal",
      here: "/",
      ...(answer && { answer }),
    }),
  ).text;

const notice = (text: string, more = {}) => ({ title: "Terms", text, enabled: true, ...more });

describe("the template", () => {
  test.each([
    ["an element", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["quotes, which end an attribute", `"'`, "&quot;&#39;"],
    ["an entity that was one before", "&lt;", "&amp;lt;"],
    ["a NUL", "a\0b", "a\uFFFDb"],
  ])("shows %s as text", (_, text, expected) => {
    expect(toText(html`<p title="${text}">${text}</p>`)).toBe(
      `<p title="${expected}">${expected}</p>`,
    );
  });

  test("takes nothing that came as JSON for markup", () => {
    const forged = JSON.parse('{"markup":"<b>"}') as Part;
    expect(() => toText(html`<p>${forged}</p>`)).toThrow(TypeError);
  });

  test("refuses the value of an attribute outside quotes", () => {
    // oxfmt-ignore
    expect(() => html(["<p title=", ">"] as unknown as TemplateStringsArray, "x onclick=y")).toThrow("quotes");
  });

  test("leaves its own parts, lists and nothing at all as they are", () => {
    const items = ["a", "<"].map((each) => html`<li>${each}</li>`);
    expect(toText(html`${items}${undefined}${1}`)).toBe("<li>a</li><li>&lt;</li>1");
  });
});

describe("a text", () => {
  test.each([
    [
      "what turns the direction around",
      "a\u202eb",
      'a<span class="hidden-mark" dir="ltr">U+202E</span>b',
    ],
    [
      "a run of what nobody sees",
      "\u200b\u0007\u0007",
      '<span class="hidden-mark" dir="ltr">U+200B +2</span>',
    ],
    [
      "a joiner between Latin letters",
      "pay\u200dpal",
      'pay<span class="hidden-mark" dir="ltr">U+200D</span>pal',
    ],
    ["a return alone", "a\rb", 'a<span class="hidden-mark" dir="ltr">U+000D</span>b'],
  ])("shows %s", (_, text, expected) => {
    expect(toText(renderText(text))).toBe(expected);
  });

  test.each([
    "a\r\nb\tc",
    "می\u200cخواهم",
    "क्\u200dष",
    "👩\u200d👩\u200d👧",
    "❤\ufe0f\u200d🔥",
    "é",
  ])("leaves %j as it is", (text) => {
    expect(toText(renderText(text))).toBe(text.replace("\r\n", "\n"));
  });

  test("of any other type is nothing", () => {
    expect([7, null, undefined, ["a"]].map((each) => toText(renderText(each)))).toEqual([
      "",
      "",
      "",
      "",
    ]);
  });
});

describe("the contrast of a banner", () => {
  const shown = (bgColor: string, fontColor: string) =>
    toText(renderContrast({ bgColor, fontColor })).replace(/\s+/g, " ");

  test("is told with what WCAG asks for, and the nearest colours that reach it", () => {
    const text = shown("#b30000", "salmon");
    expect(text).toContain("2.87:1");
    expect(text).toContain("AA needs 4.5:1");
    expect(text).toContain('fontColor: "#ffbdb3"');
    expect(text).toContain('bgColor: "#7c0000"');
    expect(shown("white", "#767676")).toMatch(/AA passes.*AAA needs 7:1.*reach AAA/);
    expect(shown("white", "black")).not.toContain("nearest");
  });

  test("is not told where a colour is unknown, and is black on white where none is named", () => {
    expect(shown("rgb(0 0 0)", "white")).toContain("“rgb(0 0 0)” is neither");
    expect(toText(renderContrast({ text: "x" }))).toContain("21.00:1");
  });
});

describe("a link", () => {
  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "/relative",
    "${i18n.help}",
    "",
    7,
  ])("does not lead to %j", (address) => {
    expect(safeHref(address)).toBeUndefined();
  });

  test("leads to the web and to mail", () => {
    expect(safeHref("https://www.example.org/a?b=1")).toBe("https://www.example.org/a?b=1");
    expect(safeHref("mailto:gis@example.org")).toBe("mailto:gis@example.org");
  });

  test("cannot fill in a message through a mail address", () => {
    expect(mailHref("a@example.org?bcc=b@example.org")).toBeUndefined();
    expect(mailHref("a?bcc=b@example.org")).toBe("mailto:a%3Fbcc%3Db@example.org");
  });

  test("in the footer that could run a script is plain text", () => {
    const footerLinks = [{ title: "Help", url: "javascript:alert(1)" }];
    const page = show({ portalConfigProperties: { footerLinks } });
    expect(page).toMatch(/<span[^>]*>Help<\/span>/);
    expect(page).not.toContain("javascript:");
  });
});

describe("the content security policy", () => {
  const { text, contentSecurityPolicy } = toPage({
    title: "t",
    style: "p { color: red }\n",
    script: "1;\n",
    body: html`<p></p>`,
  });

  test.each(["style", "script"])("names the %s by the hash of what stands in the page", (name) => {
    const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
    const hash = createHash("sha256").update(found).digest("base64");
    expect(contentSecurityPolicy).toContain(`${name}-src 'sha256-${hash}'`);
  });

  test("allows nothing else", () => {
    expect(contentSecurityPolicy).toMatch(/^default-src 'none';/);
    expect(contentSecurityPolicy).not.toContain("unsafe");
  });

  test("needs no style attribute and no script on the home page", () => {
    const page = show({
      informationalBanner: { text: "x", bgColor: "red", fontColor: "white", enabled: true },
      anonymousAccessNotice: notice("x"),
    });
    expect(page).not.toMatch(/ style=| on\w+=|<script/);
  });
});

describe("the look", () => {
  const style = readFileSync(join(PROJECT, "src/pages/client/page.css"), "utf8");
  const [day = "", night = ""] = style.split("prefers-color-scheme: dark");
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (sheet: string, one: string, other: string) => {
    const [dark = 0, light = 0] = [one, other]
      .map((name) => luminance(new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(sheet)?.[1] ?? ""))
      .toSorted((left, right) => left - right);
    return (light + 0.05) / (dark + 0.05);
  };
  const pairs = [
    ...["ink", "quiet", "accent", "bad"].flatMap((letters) => [
      [letters, "ground", 4.5],
      [letters, "sheet", 4.5],
    ]),
    ["ink", "tint", 4.5],
    ["ink", "mark", 4.5],
    ["ink", "bad-tint", 4.5],
    ["bad", "bad-tint", 4.5],
    ["quiet", "bad-tint", 4.5],
    ["good", "sheet", 4.5],
    ["good", "ground", 4.5],
    ["on-accent", "accent", 4.5],
    ["edge", "sheet", 3],
    ["edge", "ground", 3],
  ] as [string, string, number][];

  test.each(pairs)("of %s on %s has a contrast of %d by day and by night", (one, other, least) => {
    expect(contrast(day, one, other)).toBeGreaterThanOrEqual(least);
    expect(contrast(night, one, other)).toBeGreaterThanOrEqual(least);
  });
});

describe("the home page", () => {
  test("shows an enabled banner in its colours", () => {
    const page = show({
      informationalBanner: {
        text: "Read-only",
        bgColor: "#b30000",
        fontColor: "white",
        enabled: true,
      },
    });
    expect(page).toContain("Read-only");
    expect(page).toContain("background: #b30000; color: white;");
  });

  test.each(["red; } body { display: none", "url(//example.com)", "</style><script>", "#12", 7])(
    "paints a banner of the colour %j as one that is not known",
    (bgColor) => {
      const page = show({ informationalBanner: { text: "x", bgColor, enabled: true } });
      expect(page).toMatch(
        /\.banner \{ background: repeating-linear-gradient[^;]*; color: black; \}/,
      );
      expect(page.match(/<\/style>/g)).toHaveLength(1);
    },
  );

  test.each([
    ["is not enabled", { text: "Read-only", enabled: false }],
    ["has no text", { text: " ", enabled: true }],
    ["was never set", undefined],
  ])("shows no banner that %s", (_, informationalBanner) => {
    expect(show({ informationalBanner })).not.toContain('class="banner"');
  });

  test.each([
    ["anonymous", "For strangers"],
    ["member", "For members"],
    ["administrator", "For members"],
  ] as const)("asks an %s visitor with the notice meant for that visitor", (viewer, text) => {
    const page = show(
      {
        anonymousAccessNotice: notice("For strangers"),
        authenticatedAccessNotice: notice("For members"),
      },
      viewer,
    );
    expect(page.match(/For (strangers|members)/g)).toEqual([text]);
    expect(page).toMatch(/<div class="site" inert>/);
  });

  test("asks nobody where the notice is not enabled", () => {
    for (const enabled of [false, undefined]) {
      expect(show({ anonymousAccessNotice: notice("x", { enabled }) })).not.toContain("<dialog");
    }
  });

  test("says of links and apps that are not said what it is told, and of empty lists that they are empty", () => {
    const page = (advanced: object, unsaid?: string) => {
      const settings = { portalConfigProperties: advanced } as Settings;
      const visit = { settings, viewer: "anonymous", name: "A portal", here: "/" } as const;
      return toPage(home(unsaid === undefined ? visit : { ...visit, unsaid })).text;
    };
    expect(page({}, "unknown.")).toContain("Footer links: unknown.");
    expect(page({}, "unknown.")).toContain("Apps: unknown.");
    expect(page({ webEditorEnabled: true }, "unknown.")).toContain("Others: unknown.");
    for (const text of [page({}), page({ footerLinks: [], showInAppLauncher: [] }, "unknown.")]) {
      expect(text).toContain("No links.");
      expect(text).toContain("The settings list no apps.");
      expect(text).not.toContain("unknown.");
    }
  });

  test("counts among the apps what a property of its own switches on", () => {
    const advanced = { showInAppLauncher: ["Maps"], webEditorEnabled: true, surveyUrl: "" };
    expect(appsOf(advanced).map(({ title }) => title)).toEqual(["Maps", "Web Editor"]);
  });

  test.each([
    ["webEditorEnabled", "Web Editor"],
    ["tpsEnabled", "Topographic production"],
    ["dataPipelinesEnabled", "Data pipelines"],
  ])("%s: false hides the application's entry, also where a list names it", (property, title) => {
    const titles = (isOn?: boolean) =>
      appsOf({ showInAppLauncher: ["Maps", title], [property]: isOn }).map((each) => each.title);
    expect([titles(), titles(true), titles(false)]).toEqual([
      ["Maps", title],
      ["Maps", title],
      ["Maps"],
    ]);
    expect(appsOf({ [property]: true })).toEqual([{ title }]);
  });

  test("leads to the scene viewer unless sceneViewerEnabled is false", () => {
    const scene = (sceneViewerEnabled?: boolean) =>
      show({ portalConfigProperties: { sceneViewerEnabled } }).includes(">Scene<");
    expect([scene(), scene(true), scene(false)]).toEqual([true, true, false]);
  });

  test("has the footer's links below every page, the one for somebody who declined too", () => {
    const settings = {
      anonymousAccessNotice: notice("x"),
      portalConfigProperties: { footerLinks: [{ title: "Legal", url: "https://www.example.org" }] },
    };
    for (const answer of [undefined, "accepted", "declined"] as const) {
      expect(show(settings, "anonymous", answer)).toMatch(/<footer[^]*Legal/);
    }
  });

  test("offers Accept and Decline, or OK alone", () => {
    const both = show({ anonymousAccessNotice: notice("x", { buttons: "acceptAndDecline" }) });
    expect(both).toMatch(/>Decline</);
    expect(both).toMatch(/>Accept</);
    const one = show({ anonymousAccessNotice: notice("x", { buttons: "okOnly" }) });
    expect(one).toMatch(/>OK</);
    expect(one).not.toMatch(/>Decline</);
  });

  test("opens once the notice is accepted, and says so when it was declined", () => {
    const settings = { anonymousAccessNotice: notice("x") };
    expect(show(settings, "anonymous", "accepted")).not.toMatch(/<dialog|inert/);
    const declined = show(settings, "anonymous", "declined");
    expect(declined).toContain("You declined the access notice");
    expect(declined).not.toContain("Gallery");
  });

  test("keeps the lines of a notice and all of its 100 kB", () => {
    const text = `First\n\nSecond <b>\n${"x".repeat(100_000)}`;
    const page = show({ anonymousAccessNotice: notice(text) });
    expect(page).toContain(`>${text.replace("<b>", "&lt;b&gt;")}</div>`);
  });

  test("hides the organisation's page from members where only administrators may see it", () => {
    const settings = { portalConfigProperties: { restrictOrganizationPageToAdmin: true } };
    expect(show(settings, "member")).not.toContain("Organization");
    expect(show(settings, "administrator")).toContain("Organization");
    expect(show({}, "member")).toContain("Organization");
  });

  test("lists the apps that the settings name", () => {
    const advanced = { showInAppLauncher: ["<b>Maps"], surveyUrl: "https://survey.example.com" };
    const own = { ...advanced, iotViewerUrl: "https://iot.example.com:7443/iot" };
    const page = show({ portalConfigProperties: own });
    expect(page).toContain('href="https://iot.example.com:7443/iot"');
    expect(page).toContain("&lt;b&gt;Maps");
    expect(page).toContain('href="https://survey.example.com/"');
  });

  test("stands whatever the settings hold", () => {
    for (const odd of [null, 1, "x", [], {}, [null], { enabled: true, text: {}, title: [] }]) {
      const settings = {
        anonymousAccessNotice: odd,
        informationalBanner: odd,
        portalConfigProperties: odd,
      };
      expect(show(settings)).toContain("</html>");
      const advanced = { footerLinks: odd, showInAppLauncher: odd, surveyUrl: odd };
      expect(show({ portalConfigProperties: advanced })).toContain("</html>");
      const links = { footerLinks: [{ title: odd, url: odd, email: odd }] };
      expect(show({ portalConfigProperties: links })).toContain("</html>");
    }
  });
});
