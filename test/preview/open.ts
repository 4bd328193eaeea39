// A preview of a test's own over a folder of its own, both gone when the test ends.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { startPreview } from "../../src/preview/preview-server.js";
import { makeRun } from "../support/network.js";
import { folderOf } from "../support/run.js";

export const PORTAL = `targetVersion: "11.5"
portal: { name: Northern district }
settings:
  informationalBanner:
    text: Read-only on Saturday from 18:00 to 22:00.
    bgColor: "#b30000"
    fontColor: white
    enabled: true
  anonymousAccessNotice:
    title: Terms of use
    text: |-
      This portal is for members of Example Organisation and their guests.

      By entering you agree to its terms of use.
    buttons: acceptAndDecline
    enabled: true
  authenticatedAccessNotice:
    title: Welcome back
    text: Maps are updated on Mondays.
    buttons: okOnly
    enabled: true
  portalConfigProperties:
    restrictOrganizationPageToAdmin: true
    showInAppLauncher: [Dashboards, StoryMaps, Field Maps]
    footerLinks:
      - { title: Terms, url: "https://www.example.org/terms" }
      - { title: Contact, email: gis@example.org, type: contactUs }
`;

export interface Opened {
  readonly url: string;
  readonly folder: string;
  readonly write: (name: string, text: string) => void;
  /** As editors do that write beside the file first. */
  readonly replace: (name: string, text: string) => void;
  readonly close: () => Promise<void>;
}

export async function openPreview(
  files: Readonly<Record<string, string>> = { "portal.yaml": PORTAL },
  shown: readonly string[] = Object.keys(files),
  port = 0,
): Promise<Opened> {
  const folder = folderOf(files);
  const io = {
    ...makeRun().io,
    cwd: folder.path,
    now: () => Date.parse("2026-06-15T12:00:00Z"),
    sleep: (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }),
  };
  onTestFinished(() => folder.remove());
  const preview = await startPreview(io, { files: shown, port });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= preview.close());
  onTestFinished(close);
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  return {
    url: preview.url,
    folder: folder.path,
    write,
    close,
    replace(name, text) {
      write(`${name}.new`, text);
      renameSync(join(folder.path, `${name}.new`), join(folder.path, name));
    },
  };
}
