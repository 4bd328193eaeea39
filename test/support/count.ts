// A reporter whose last line counts the tests: "N passed, N failed, N skipped".
import type { Reporter, TestModule } from "vitest/node";

export default class Count implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that cannot be loaded holds no test that could fail.
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    const skipped = count.skipped ? `, ${count.skipped} skipped` : "";
    // Written when the process ends, below the default reporter's own summary.
    process.once("exit", () => {
      console.log(`${count.passed} passed, ${count.failed + count.pending} failed${skipped}`);
    });
  }
}
