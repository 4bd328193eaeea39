// Opens an address in the default browser, or reports that it cannot.
import { spawn } from "node:child_process";
import { platform } from "node:os";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** False if no program can open addresses. */
export function openInBrowser(url: string): Promise<boolean> {
  const [program, ...words] = OPENERS[platform()] ?? ["xdg-open"];
  return new Promise((done) => {
    const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
    child.once("error", () => done(false));
    child.once("spawn", () => {
      child.unref();
      done(true);
    });
  });
}
