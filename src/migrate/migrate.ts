// Old configuration files as bytes → one outcome a property, and what is wrong with the files themselves. Nothing in them is run.
import type { Comment } from "acorn";
import { commentsByLine, commentsOf, type CommentsByLine } from "./comment.js";
import { decode, type Encoding } from "./decode.js";
import { judge, type Judged, type Judging } from "./judge.js";
import { counterpartOf } from "./known.js";
import type { PortalAddress } from "./location.js";
import { parse } from "./parse.js";
import { globalNamed, scopesOf, type Binding, type Globals, type Scopes } from "./scope.js";
import { scriptOf, type Script } from "./script.js";
import { readScript } from "./statement.js";
import { survey } from "./survey.js";
import type { SyntaxProblem } from "./syntax.js";
import { thing, type Thing, type Why } from "./value.js";
import type { Program } from "acorn";
import { USUAL_NAME, type World } from "./world.js";

export interface OldFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface Migrating extends Judging {
  readonly portal?: PortalAddress | undefined;
}

export interface ReadFile {
  readonly script: Script;
  readonly encoding: Encoding;
}

export interface Migration {
  readonly files: readonly ReadFile[];
  /** Where a file is no JavaScript, nothing of any is judged: a browser would not have run it either. */
  readonly slips: readonly SyntaxProblem[];
  /** What the configuration is called; absent where none was found. */
  readonly global?: string;
  /** A file without one has it in a comment. */
  readonly isCommentedOut: boolean;
  readonly properties: readonly Judged[];
  /** What was written beside a property for people. */
  commentsOf(judged: Judged): readonly string[];
}

interface Read extends ReadFile {
  readonly program: Program;
  readonly comments: readonly Comment[];
}

export function migrate(files: readonly OldFile[], migrating: Migrating): Migration {
  const slips: SyntaxProblem[] = [];
  const reads = files.map(({ file, bytes }): ReadFile & { readonly read?: Read } => {
    const { text, encoding } = decode(bytes);
    const script = scriptOf(file, text);
    const parsed = parse(script);
    if (parsed.problem) {
      slips.push(parsed.problem);
      return { script, encoding };
    }
    const { program, comments } = parsed;
    return { script, encoding, read: { script, encoding, program, comments } };
  });
  const none = { files: reads, slips, properties: [], commentsOf: () => [] };
  if (slips.length > 0) return { ...none, isCommentedOut: false };

  const whole = reads.flatMap(({ read }) => read ?? []);
  const world = readInOrder(whole, migrating.portal);
  const [first] = whole;
  const found = first && findConfiguration(world, first.script);
  if (!found) {
    const texts = whole.flatMap(({ comments }) => comments.map(({ value }) => value));
    return { ...none, isCommentedOut: texts.some((each) => /GeowConfig\s*=/.test(each)) };
  }
  const everything = whyNothingHolds(found, world);
  const config = found.value?.kind === "thing" ? found.value : thing();
  const byLine = new Map<Script, CommentsByLine>();
  for (const { script, comments } of whole) byLine.set(script, commentsByLine(script, comments));
  return {
    ...none,
    global: found.name,
    isCommentedOut: false,
    properties: inOrder(judge(config, everything, world, migrating), whole),
    commentsOf: ({ entry }) => {
      const comments = entry && byLine.get(entry.name.script);
      return comments ? commentsOf(entry, comments) : [];
    },
  };
}

function readInOrder(reads: readonly Read[], portal: PortalAddress | undefined): World {
  const globals: Globals = { names: new Map(), lexical: new Map() };
  const world: World = { globals, portal, selfKeys: new Map() };
  // A file of later assignments alone changes what another one has defined.
  globalNamed(USUAL_NAME, globals).value = thing({ isAssumed: true, isPublished: true });
  const stages = reads.map(({ script, program }) => {
    const scopes: Scopes = scopesOf(program, globals);
    survey(program, { script, scopes, world });
    return { script, program, scopes };
  });
  for (const { script, program, scopes } of stages) {
    const scope = scopes.get(program);
    if (!scope) throw new TypeError("a program has a scope");
    readScript(program, {
      world,
      script,
      scopes,
      scope,
      self: { kind: "window" },
      conditions: 0,
      depth: 0,
    });
  }
  return world;
}

/** By the usual name, else by one like it, else by what it holds. */
function findConfiguration({ globals }: World, script: Script): Binding | undefined {
  const usual = globals.names.get(USUAL_NAME);
  const lexical = globals.lexical.get(USUAL_NAME);
  if (usual && isConfiguration(usual)) {
    // One is found by its bare name, and the other one in the window.
    if (lexical?.value) usual.volatile ??= { reason: "alias", at: { script, start: 0, end: 0 } };
    return usual;
  }
  if (lexical?.value) return lexical;
  const others = [...globals.names.values()].filter(({ value }) => value?.kind === "thing");
  return (
    others.find((each) => each.name.startsWith(USUAL_NAME) && isConfiguration(each)) ??
    others.find((each) => ownNames(each).filter((name) => counterpartOf(name)).length >= MANY)
  );
}

/** So many names of a portal's configuration no other object has by chance. */
const MANY = 3;

function isConfiguration(binding: Binding): boolean {
  const { value, volatile } = binding;
  if (volatile || value?.kind === "unknown") return true;
  if (value?.kind !== "thing") return false;
  const isTouched =
    value.entries.size > 0 || value.spoiled !== undefined || value.rest !== undefined;
  return isTouched || !value.isAssumed;
}

function ownNames({ value }: Binding): string[] {
  return value?.kind === "thing" ? [...value.entries.keys()] : [];
}

function whyNothingHolds({ value, volatile }: Binding, world: World): Why | undefined {
  const reached = world.windowEscapes && world.reachesAnything;
  const own = volatile ?? (value?.kind === "unknown" ? value.why : undefined);
  return (
    own ??
    world.hidden ??
    reached ??
    (world.setsText && world.makesScripts) ??
    (value?.kind === "thing" ? inherited(value, world) : undefined)
  );
}

function inherited(value: Thing, { patchedObjects }: World): Why | undefined {
  return value.isAssumed ? undefined : patchedObjects;
}

/** As the files have them. */
function inOrder(properties: readonly Judged[], reads: readonly Read[]): Judged[] {
  const rank = new Map(reads.map(({ script }, at) => [script, at]));
  return properties.toSorted(({ at: one, entry: first }, { at: other, entry: second }) => {
    const [left, right] = [first?.name ?? one, second?.name ?? other];
    return (rank.get(left.script) ?? 0) - (rank.get(right.script) ?? 0) || left.start - right.start;
  });
}
