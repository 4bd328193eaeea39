// One browser for all tests of a run: begun before them, ended after them; where there is none, the reason why.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where it listens; empty where there is none. */
    readonly browser: string;
  }
}

export default async function begin(project: TestProject): Promise<(() => Promise<void>) | void> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    console.log(`Tests in a browser are skipped: there is no "${executablePath}" (CHROMIUM_PATH).`);
    project.provide("browser", "");
    return;
  }
  const server = await chromium.launchServer({
    executablePath,
    // The sandbox of the browser itself refuses to run for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-dev-shm-usage"],
  });
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}
