// Adds settings, schemas and the recommended extension for VS Code, and keeps what is already there.
import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { CONFIG_FILE } from "../../document/find.js";
import { repositoryOf } from "../../document/read/repository.js";
import { Failure } from "../../failure.js";
import { readFile, reasonOf, statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { isEqual, isJsonList, isJsonObject, type Json, type JsonObject } from "../../lib/json.js";
import { oneLine } from "../../lib/text.js";
import { PART } from "../schema.js";
import type { Result } from "../command.js";
import { done } from "../../cli/result.js";
import { replaceFile, writeNew } from "../../cli/write-file.js";
import { renewSchema } from "../write-schema.js";
import { readCommented, withMembers } from "./commented-json.js";

export const EDITORS = ["vscode", "none"];

const FOLDER = ".vscode";
const ANY_SCHEMA = "desired-state.schema.json";
const SERVE_SCHEMA = "lintel.schema.json";
const PART_SCHEMA = `desired-state-${PART}.schema.json`;

/** The language server accepts only "object" here with these schemas. */
const TAGS = ["!default scalar:object", "!unmanaged scalar:object"];

/** Escapes the glob characters of a folder name. */
function asPattern(path: string): string {
  return path.replaceAll(/[\\[\]{}()*?!+@|]/g, "\\$&");
}

/** `folder` holds the portals, relative to the root: "" or with a slash at the end. */
function settingsFor(folder: string): JsonObject {
  return {
    "yaml.customTags": TAGS,
    "yaml.schemas": {
      [`./${FOLDER}/${ANY_SCHEMA}`]: [
        `${folder}portal.{yaml,yml}`,
        `${folder}portals/**/[^_]*.{yaml,yml}`,
        "[^_]*.lintel.{yaml,yml}",
      ],
      [`./${FOLDER}/${PART_SCHEMA}`]: [`${folder}**/_*.{yaml,yml}`],
      [`./${FOLDER}/${SERVE_SCHEMA}`]: [CONFIG_FILE],
    },
  };
}

/**
 * For the file or folder `target`, at the root of its repository. Fails before it writes anything if existing settings
 * conflict.
 */
export function editorFilesFor(target: string, io: Io) {
  const { root, folder } = placeOf(target, io);
  const contents = {
    "settings.json": settingsFor(folder && `${asPattern(folder)}/`),
    "extensions.json": { recommendations: ["redhat.vscode-yaml"] },
  };
  const files = Object.entries(contents).map(([name, wanted]) => {
    const at = join(root, FOLDER, name);
    const shown = relative(io.cwd, at);
    return { at, shown, ...changed(at, shown, wanted) };
  });
  return {
    /** Returns the names of the files written. */
    write: (): string[] => [
      ...files.flatMap(({ at, shown, isNew, text }) => {
        if (text === undefined) return [];
        if (isNew) writeNew(at, shown, text, io);
        else replaceFile(at, shown, text, io);
        return [shown];
      }),
      ...renewSchema(join(root, FOLDER, ANY_SCHEMA), undefined, io),
      ...renewSchema(join(root, FOLDER, PART_SCHEMA), PART, io),
      ...renewSchema(join(root, FOLDER, SERVE_SCHEMA), "serve", io),
    ],
  };
}

export function usesVsCode(target: string, io: Io): boolean {
  return existsSync(join(placeOf(target, io).root, FOLDER));
}

export function withEditorFiles(written: readonly string[], pipeline: Result | undefined): Result {
  const told =
    written.length > 0
      ? `Wrote ${written.map(oneLine).join(", ")}. VS Code recommends its YAML extension when you open the folder.\n`
      : "VS Code already has these settings. Nothing was written.\n";
  if (!pipeline) return done("init", { written }, () => told);
  const { written: before } = pipeline.outcome.more ?? {};
  const more = { written: [...(Array.isArray(before) ? before : []), ...written] };
  return {
    outcome: { ...pipeline.outcome, more },
    text: (paint) => {
      const text = pipeline.text(paint);
      return [...(typeof text === "string" ? [text] : text), "\n", told];
    },
  };
}

/** The root of the repository, and in it the folder that holds portal.yaml and portals. */
function placeOf(target: string, io: Io): { readonly root: string; readonly folder: string } {
  const path = resolve(io.cwd, target);
  const own = statOf(path)?.isDirectory() ? path : dirname(path);
  const folder = basename(own) === "portals" ? dirname(own) : own;
  const root = repositoryOf(path) ?? (existsSync(folder) ? folder : io.cwd);
  return { root, folder: relative(root, folder).split(sep).join("/") };
}

interface Changed {
  readonly isNew: boolean;
  /** Absent if the file needs no change. */
  readonly text?: string;
}

function changed(at: string, shown: string, wanted: JsonObject): Changed {
  const whole = `${JSON.stringify(wanted, null, 2)}\n`;
  if (!existsSync(at)) return { isNew: true, text: whole };
  const own = readOwn(at, shown);
  if (own.trim() === "") return { isNew: false, text: whole };
  const found = readCommented(own);
  const lacking = Object.entries(wanted).filter(([key, held]) => !holds(found?.[key], held));
  if (found && lacking.length === 0) return { isNew: false };
  const [there] = lacking.find(([key]) => found?.[key] !== undefined) ?? [];
  if (there !== undefined) throw mustMerge(shown, there, wanted);
  const text = found && withMembers(own, Object.fromEntries(lacking));
  if (text === undefined || !readCommented(text)) {
    throw mustMend(`"${oneLine(shown)}" is not a JSON object`);
  }
  return { isNew: false, text };
}

const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;

/** Refuses bytes that could not be written back unchanged. */
function readOwn(at: string, shown: string): string {
  const cannot = (reason: string) => mustMend(`"${oneLine(shown)}" cannot be read: ${reason}`);
  try {
    const bytes = readFile(at, LIMITS);
    if (isUtf8(bytes)) return bytes.toString("utf8");
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : cannot(reason);
  }
  throw cannot("it is not text in UTF-8");
}

function mustMend(what: string): Failure {
  return new Failure(
    "file-exists",
    `${what}. Lintel does not change it.`,
    "Correct it, or move it out of the way.",
  );
}

function holds(found: Json | undefined, wanted: Json): boolean {
  if (isJsonList(wanted)) {
    return isJsonList(found) && wanted.every((each) => found.some((own) => isEqual(own, each)));
  }
  if (!isJsonObject(wanted)) return found === wanted;
  return (
    isJsonObject(found) && Object.entries(wanted).every(([key, held]) => holds(found[key], held))
  );
}

function mustMerge(shown: string, key: string, wanted: JsonObject): Failure {
  const lines = JSON.stringify(wanted, null, 2).split("\n").slice(1, -1).join("\n");
  return new Failure(
    "file-exists",
    `"${oneLine(shown)}" already sets "${key}" to a different value. Lintel does not change it.`,
    `Merge these lines by hand, then run this command again:\n${lines}`,
  );
}
