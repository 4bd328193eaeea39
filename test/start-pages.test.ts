// Runs the commands of the start pages in a terminal; what they print must be what the pages show.
import type { ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installLintel, runInTerminal, startInTerminal } from "./support/pty.js";
import { rowsUnder } from "./support/manual.js";
import { environment, folderOf, PROJECT } from "./support/run.js";

/** The page "your-portal" has a portal already, whose address stands in variables. */
const PAGES = ["try-it", "your-portal"];

const LIVE = {
  anonymousAccessNotice: {
    title: "Terms of use",
    text: "For members of Example Organisation.",
    buttons: "acceptAndDecline",
    enabled: true,
  },
  portalConfigProperties: { tokenExpiration: 60 },
};

const BLOCK = /^```(console|yaml)\n([^]*?)^```$/gm;

test.each(PAGES)("docs/start/%s.md shows what its commands print", async (page) => {
  const path = join(PROJECT, `docs/start/${page}.md`);
  const text = readFileSync(path, "utf8");
  const session = openSession();
  if (page === "your-portal") {
    await session.startSandbox("lintel sandbox --target 11.5 --fault no-sign-in-service");
    await session.updatePortal(LIVE);
  }
  const shownAs = page === "your-portal" ? asRealPortal : (output: string) => output;

  let shown = "";
  let end = 0;
  for (const found of text.matchAll(BLOCK)) {
    const [all, kind, block = ""] = found;
    shown += text.slice(end, found.index);
    end = found.index + all.length;
    if (kind === "yaml") {
      session.append("portal.yaml", block);
      shown += all;
    } else shown += `\`\`\`console\n${shownAs(await printed(block, session))}\`\`\``;
  }
  shown += text.slice(end);

  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, shown);
  expect(shown).toBe(readFileSync(path, "utf8"));
});

test("the everyday commands of README.md work in their order", async () => {
  const [, section = ""] = readFileSync(join(PROJECT, "README.md"), "utf8").split(
    "## Everyday commands",
  );
  const [, block = ""] = /^```sh\n([^]*?)^```$/m.exec(section) ?? [];
  const commands = block.split("\n").map((line) => line.replace(/ +#.*/, ""));
  // The preview stays open until it is closed, and has tests of its own.
  await expectToWork(commands.filter((each) => each && !each.includes("preview")));
});

test("the commands of from-terraform.md work in their order", async () => {
  const rows = rowsUnder("docs/start/from-terraform.md", "Terraform | Lintel");
  await expectToWork(rows.map(([, cell = ""]) => /`(lintel .*)`/.exec(cell)?.[1] ?? ""));
});

/** In a new folder, for a portal that shows a banner; before the first plan, the file gets another text. */
async function expectToWork(commands: readonly string[]): Promise<void> {
  const session = openSession();
  await session.startSandbox("lintel sandbox --target 11.5");
  const banner = { text: "Welcome", bgColor: "#004d40", fontColor: "white", enabled: true };
  await session.updatePortal({ ...LIVE, informationalBanner: banner });
  for (const command of commands) {
    if (command.startsWith("lintel plan")) await session.run("sed -i s/Welcome/Hello/ portal.yaml");
    expect([command, await session.run(command)]).toMatchObject([command, { exit: 0 }]);
  }
}

/** Readers of this page have a portal of their own. */
function asRealPortal(output: string): string {
  return output
    .replaceAll("http://127.0.0.1:43210", "https://gis.example.com")
    .replaceAll("127.0.0.1", "gis.example.com");
}

/** The commands of a block, each followed by what it prints now. */
async function printed(block: string, session: Session): Promise<string> {
  let shown = "";
  for (const [, command = ""] of block.matchAll(/^\$ (.*)$/gm)) {
    const output = command.startsWith("lintel sandbox")
      ? await session.startSandbox(command)
      : (await session.run(command)).text;
    shown += `$ ${command}\n${output && `${masked(output).trimEnd()}\n`}`;
  }
  return shown;
}

type Session = ReturnType<typeof openSession>;

/** A folder, a shell with variables that last, and a sandbox; all gone when the test ends. */
function openSession() {
  const folder = folderOf({
    ".gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.org\n",
  });
  const work = join(folder.path, "work");
  mkdirSync(work);
  const installed = installLintel(folder.path);
  const variables = new Map<string, string>();
  const started: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of started) child.kill();
    folder.remove();
  });
  const terminal = () => ({
    cwd: work,
    env: environment({
      ...installed,
      LINTEL_ALLOWED_HOSTS: undefined,
      NO_COLOR: "1",
      ...Object.fromEntries(variables),
    }),
  });
  return {
    append: (name: string, text: string) => appendFileSync(join(work, name), text),
    async startSandbox(command: string): Promise<string> {
      const child = startInTerminal(command, terminal());
      started.push(child);
      const output = await new Promise<string>((done) => {
        let text = "";
        child.stdout.on("data", (part: Buffer) => {
          text += part.toString();
          if (text.includes("lintel doctor")) done(text);
        });
      });
      for (const [, name = "", value = ""] of output.matchAll(/export (\w+)=(\S+)/g)) {
        variables.set(name, value);
      }
      return output;
    },
    /** What an administrator does in the portal's own pages. */
    async updatePortal(settings: Readonly<Record<string, unknown>>): Promise<void> {
      const named = (name: string) => variables.get(name) ?? "";
      const signedIn = await fetch(`${named("PORTAL")}/generateToken`, {
        method: "POST",
        body: new URLSearchParams({
          f: "json",
          username: named("LINTEL_USERNAME"),
          password: named("LINTEL_PASSWORD"),
          client: "referer",
          referer: "test",
        }),
      });
      const { token } = (await signedIn.json()) as { token: string };
      const values = Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]);
      const updated = await fetch(`${named("PORTAL")}/portals/self/settings/update`, {
        method: "POST",
        headers: { referer: "test", authorization: `Bearer ${token}` },
        body: new URLSearchParams([["f", "json"], ...(values as [string, string][])]),
      });
      expect(await updated.json()).toMatchObject({ success: true });
    },
    async run(command: string) {
      const [, name, made] = /^(\w+)=\$\((.*)\)$/.exec(command) ?? [];
      const ran = await runInTerminal(made ?? command, terminal(), answer);
      if (name === undefined) return ran;
      variables.set(name, ran.text.trim());
      return { ...ran, text: "" };
    },
  };

  function answer(question: string): string {
    if (question.includes("(yes or no)")) return "yes";
    return question.startsWith("Portal address") ? (variables.get("PORTAL") ?? "") : "";
  }
}

/** Takes away the lines of progress, which only a busy machine draws. */
function withoutProgress(output: string): string {
  const pieces = output.split("\r\u001b[J");
  const rest = pieces.pop() ?? "";
  return pieces.map((piece) => piece.slice(0, piece.lastIndexOf("\n") + 1)).join("") + rest;
}

/** What differs from run to run, in one form and at the same width. */
function masked(output: string): string {
  return withoutProgress(output)
    .replaceAll("\r", "")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:43210")
    .replaceAll(
      /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g,
      "5b0c7c4e-0d1f-4e62-9a37-2f8c61d0b7aa",
    )
    .replaceAll(/\b[\da-f]{64}\b/g, "4f0c2a91d7be".repeat(5) + "4f0c")
    .replaceAll(/(admin \/ |PASSWORD=)\S+/g, (_, before) => `${before}7vJq2mWc9xTd`)
    .replaceAll(
      /\bsandbox-[\da-f]{12} \/ [\da-f]{32}/g,
      "sandbox-4f0c2a91d7be / 9d3e5a70c2b14f86a1d0e7c4b5f82936",
    )
    .replaceAll(new RegExp(`\\bon ${hostname()}\\b`, "g"), "on laptop")
    .replaceAll(/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}\b/g, "2026-06-15 10:00");
}
