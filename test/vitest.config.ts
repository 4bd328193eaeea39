// How the tests are found, run and counted.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    dir: "test",
    testTimeout: 60_000,
    globalSetup: "./test/support/browser-server.ts",
    reporters: ["default", "./test/support/count.ts"],
  },
});
