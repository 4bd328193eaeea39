// The template that escapes, the documents made of it, and the colours that all pages share.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toPage } from "../../src/lib/html-document.js";
import { html, mailHref, renderText, safeHref, toText, type Part } from "../../src/lib/html.js";
import { PROJECT } from "../support/run.js";

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
});

describe("the look", () => {
  const style = readFileSync(join(PROJECT, "src/lib/client/page.css"), "utf8");
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
