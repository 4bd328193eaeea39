// Tells whether a test may mount a file system of its own.
import { execFileSync } from "node:child_process";

export function canMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], {
      stdio: "ignore",
    });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}
