// Texts of every kind travel to the portal and back unchanged, and leave nothing to do.
import { Document, parse } from "yaml";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { OMITTED } from "../../src/sandbox/options.js";
import { visible } from "../../src/lib/text.js";
import { openPlace } from "./place.js";

const LONG = "Dieses System dient der Verwaltung; wer es nutzt, stimmt zu. "
  .repeat(50)
  .slice(0, 3000);

const TEXTS: Readonly<Record<string, string>> = {
  "a notice of 3,000 characters": LONG,
  "a notice of 3,000 characters beyond the basic plane": "🗺️🌍".repeat(750),
  emoji: "🚧 Maintenance 👩🏽‍💻 👨‍👩‍👧‍👦 🇩🇪",
  "right to left": "مرحبا بكم في البوابة ‏(نسخة 2)‎ שלום",
  quotes: `"double" 'single' \\"escaped\\" \\\\ \\n \`tick\``,
  "what a form gives a meaning": "a=b&c=d+e%20f%2B&amp;f=html&token=x;#?/ 100 %",
  newlines: "one\ntwo\n\n  three\n",
  tabs: "\tone\ttwo\t",
  markup: "<b>bold</b> </script><script>alert(1)</script> <!-- --> ]]> {{x}} ${y} %{z}",
  "blanks at both ends": "  a  ",
  "combining marks": "é vs e\u0301, Å vs A\u030A",
  "separators of lines": "a\u2028b\u2029c\u0085d",
  nothing: "",
  "words that YAML takes for values": "yes",
};

/** Quoted, so that the file says just this; a reference that is plain text is written with two dollar signs. */
function fileFor(text: string): string {
  const settings: JsonObject = {
    informationalBanner: { text, enabled: text !== "" },
    authenticatedAccessNotice: {
      title: text.slice(0, 40),
      text,
      buttons: "okOnly",
      enabled: false,
    },
    portalConfigProperties: {
      footerLinks: [{ title: text.slice(0, 40), url: "https://example.com/?a=b&c=d" }],
    },
  };
  return new Document({ settings }).toString({ defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 });
}

test.each(Object.keys(TEXTS))("%s", async (name) => {
  const text = TEXTS[name] ?? "";
  for (const omitted of OMITTED) {
    const place = await openPlace({ omittedParameters: omitted, omittedProperties: omitted });
    place.write(fileFor(text));
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.sandbox.settings()).toMatchObject({
      informationalBanner: { text },
      authenticatedAccessNotice: { title: text.slice(0, 40), text },
      portalConfigProperties: { footerLinks: [{ title: text.slice(0, 40) }] },
    });
    const again = await place.run("plan --detailed-exitcode");
    expect(again.exit).toBe(0);
    expect(again.stdout).toMatch(/^No changes\./m);
    // A change of anything else sends it back as it was read.
    place.write(`${fileFor(text)}  blockBetaApps: true\n`);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.updates()).toHaveLength(2);
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text } });
  }
});

const UNSEEN = [
  "\u0000\u0007\u001b[31m\r\u007f",
  "\u0085\u2028\u2029\ufeff",
  "\u00ad\u200b\u200c\u200d\u2060\u3164",
  "\u202eabc\u202c\u2066\u2069\u061c",
  "\ud800 \udfff \u{e0041}\ufffe\uffff",
];

test.each(["pull --all", "pull --all --into new.yaml"])(
  "lintel %s writes invisible characters as escapes",
  async (words) => {
    const text = `one ${UNSEEN.join(" ")}\ntwo`;
    const live = {
      informationalBanner: { text, bgColor: "black", fontColor: "white", enabled: true },
      anonymousAccessNotice: { title: UNSEEN[0] ?? "", text, buttons: "okOnly", enabled: true },
      portalConfigProperties: { httpsDomains: UNSEEN },
    };
    const place = await openPlace({}, live);
    place.write(
      "settings:\n  informationalBanner: { text: plain }\n  anonymousAccessNotice:\n    title: 'single'\n    text: |\n      block\n",
    );
    expect(await place.run(words)).toMatchObject({ exit: 0, stderr: "" });
    const name = words.split("--into ")[1] ?? "portal.yaml";
    const written = place.read(name);
    expect(visible(written)).toBe(written);
    expect(parse(written)).toMatchObject({ settings: live });
  },
);
