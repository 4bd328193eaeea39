// Every command by name: what help, completion and the front door read. A new command is one entry and one file.
import type { Spec } from "./command.js";
import { FILES } from "./list-files.js";
import { PORTALS } from "./list-portals.js";
import { DEPLOYMENTS, NETWORK } from "./options.js";

const OTHERS: readonly Spec[] = [
  {
    name: "whoami",
    summary: "Sign in, and tell who the credentials are and when the token ends.",
    operands: "[FILE]",
    mostOperands: 1,
    options: NETWORK,
    formats: ["text", "json"],
    examples: [
      ["lintel whoami", "with the signIn of portal.yaml"],
      ["lintel whoami portals/staging.yaml --verbose", "shows each request"],
    ],
    completes: "files",
    load: () => import("./whoami.js"),
  },
  {
    name: "doctor",
    summary: "Say step by step what works on the way to a portal, and what to do about the rest.",
    operands: "[FILE]",
    mostOperands: 1,
    options: NETWORK,
    formats: ["text", "json"],
    examples: [
      ["lintel doctor", "what works on the way to the portal"],
      ["lintel doctor portals/staging.yaml --ca-file our-ca.pem", "with a private authority"],
    ],
    completes: "files",
    load: () => import("./doctor/doctor.js"),
  },
  {
    name: "sandbox",
    summary: "Run a working portal on this machine, for trying out, training and tests.",
    operands: "",
    mostOperands: 0,
    options: {
      port: { value: "PORT", meaning: "The port to listen on; 0, any free one, when left out." },
      host: { value: "ADDRESS", meaning: "The address to listen on; 127.0.0.1 when left out." },
      data: { value: "DIR", meaning: "Keep settings and accounts in this folder." },
      target: {
        value: "VERSION",
        meaning: "The portal's version; the newest known when left out.",
      },
      deployment: {
        value: "NAME",
        values: DEPLOYMENTS,
        meaning: "What the portal is.",
      },
      portals: { value: "N", meaning: 'Portals with the ids portal-1 … portal-N beside "self".' },
      "omitted-parameters": {
        value: "WHAT",
        values: ["keep", "reset"],
        meaning: "What an update does to parameters that it leaves out.",
      },
      "omitted-properties": {
        value: "WHAT",
        values: ["keep", "reset"],
        meaning: "The same for properties that an object leaves out.",
      },
      unknown: {
        value: "WHAT",
        values: ["ignore", "store", "refuse"],
        meaning: "What becomes of names that this version does not know.",
      },
      "no-read": { meaning: "The settings cannot be read." },
      latency: { value: "MS", meaning: "Milliseconds before each answer." },
      "fail-rate": {
        value: "SHARE",
        meaning: "The share of requests answered with an error page.",
      },
      "drop-rate": { value: "SHARE", meaning: "The share of requests whose connection is closed." },
      seed: { value: "N", meaning: "Chooses which requests fail or drop." },
    },
    formats: ["text", "json"],
    examples: [
      ["lintel sandbox", "a portal of the newest version, in memory"],
      ["lintel sandbox --target 11.0 --data ./portal-data", "keeps what is set"],
      ["lintel sandbox --output json", "the first line tells a program where it runs"],
    ],
    load: () => import("./sandbox.js"),
  },
  {
    name: "completion",
    summary: "Print a script that completes commands and options in a shell.",
    operands: "SHELL",
    mostOperands: 1,
    options: {},
    formats: ["text"],
    examples: [
      ["lintel completion bash > /etc/bash_completion.d/lintel", "for every user"],
      ["source <(lintel completion zsh)", "for this terminal; in zsh"],
      ["lintel completion fish > ~/.config/fish/completions/lintel.fish", "in fish"],
    ],
    completes: "shells",
    load: () => import("./completion.js"),
  },
  {
    name: "help",
    summary: "Show help on a command, or a topic of the manual.",
    operands: "[TOPIC]",
    mostOperands: 1,
    options: {},
    formats: ["text"],
    examples: [
      ["lintel help validate", "the same as lintel validate --help"],
      ["lintel help exit-status", "what each exit status means"],
      ["lintel help words", "what adopt, release, journal and the like mean"],
      ["lintel help recover", "what to do when something went wrong"],
    ],
    completes: "topics",
    load: () => import("./help.js"),
  },
];

export const COMMANDS: readonly Spec[] = [...FILES, ...PORTALS, ...OTHERS];

export function findCommand(name: string): Spec | undefined {
  return COMMANDS.find((each) => each.name === name);
}
