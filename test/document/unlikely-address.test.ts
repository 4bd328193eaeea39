// Addresses of pages that people write as portal.url: each gets the address of the interface that is meant.
import { expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readInput } from "../../src/document/read/bytes.js";
import { PROJECT } from "../support/run.js";

function helpFor(url: string): string | undefined {
  const text = `targetVersion: "12.1"\nportal: { url: "${url}" }\nsignIn: { url: "https://a.example.com" }\n`;
  const around = { cwd: PROJECT, env: {}, now: () => 0 };
  const { diagnostics } = check("-", readInput(new TextEncoder().encode(text)), around);
  return diagnostics.find(({ code }) => code === "unlikely-address")?.help;
}

test.each([
  ["https://gis.example.com", "https://gis.example.com/portal/sharing/rest"],
  ["https://gis.example.com/", "https://gis.example.com/portal/sharing/rest"],
  ["https://gis.example.com/portal", "https://gis.example.com/portal/sharing/rest"],
  ["https://gis.example.com/arcgis/", "https://gis.example.com/arcgis/sharing/rest"],
  ["https://gis.example.com:7443/portal/home/", "https://gis.example.com:7443/portal/sharing/rest"],
  [
    "https://gis.example.com/portal/home/signin.html",
    "https://gis.example.com/portal/sharing/rest",
  ],
  ["https://gis.example.com/portal/sharing", "https://gis.example.com/portal/sharing/rest"],
  ["https://gis.example.com/portal/portaladmin", "https://gis.example.com/portal/sharing/rest"],
])("%s is not the interface: %s is", (url, meant) => {
  expect(helpFor(url)).toContain(`\n  url: ${meant}`);
});

test.each([
  "https://gis.example.com/portal/sharing/rest",
  "https://gis.example.com/portal/sharing/rest/",
  "https://gis.example.com/sharing/rest",
  // A gateway may have other ways.
  "https://gateway.example.com/rest",
  "https://gateway.example.com/gis/v2/rest",
])("accepts %s as an interface", (url) => {
  expect(helpFor(url)).toBeUndefined();
});
