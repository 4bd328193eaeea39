// What the compiler declares of the library door and of all that it takes from other files → one file of types that imports nothing.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Name {
  readonly path: string;
  readonly name: string;
}

interface Source {
  readonly statements: ReadonlyMap<string, string>;
  /** By the name that stands here. */
  readonly imports: ReadonlyMap<string, Name>;
}

/** A declaration begins at the beginning of a line, and what is inside it stands further to the right. */
const BEGINNING = /^(?=(?:import|export|declare|type|interface) )/m;
const DECLARED = /^(?:export )?(?:declare )?(?:interface|type|class|function|const) (\w+)/;
const COMMENT_BEFORE_NEXT = /\n(\/\*\*(?:(?!\*\/)[^])*\*\/\n)$/;
const INLINE_IMPORT = /import\("([^"]+)"\)\.(\w+)/g;
/** Comments and texts are passed over, and so are names of members and parameters. */
const WORD = /\/\*[^]*?\*\/|\/\/.*|"[^"\n]*"|(?<![.\w])[A-Za-z_]\w*(?!\w|\??:)/g;

/** `door` holds re-exports by name, and nothing else. */
export function rollUp(door: string): string {
  const read = reader();
  const exported = [...read(door).imports];
  /** What people import keeps its name, whatever else is called so. */
  const names = new Map(exported.map(([name, target]) => [keyOf(target), name]));
  const doors = new Set(names.keys());
  const taken = new Set(names.values());
  const waiting = exported.map(([, target]) => target);
  const nameFor = (target: Name, usedAs: string): string => {
    const known = names.get(keyOf(target));
    if (known !== undefined) return known;
    const free = [target.name, usedAs].find((each) => !taken.has(each));
    if (free === undefined) throw new Error(`The library reaches two types named "${usedAs}".`);
    names.set(keyOf(target), free);
    taken.add(free);
    waiting.push(target);
    return free;
  };

  const texts: string[] = [];
  // Whatever is printed may reach more.
  for (const target of waiting) {
    const { path, name } = target;
    const { statements, imports } = read(path);
    const text = statements.get(name);
    if (text === undefined) throw new Error(`${path} declares no "${name}".`);
    const own = (word: string) =>
      imports.get(word) ?? (statements.has(word) ? { path, name: word } : undefined);
    const plain = text
      .replaceAll(INLINE_IMPORT, (_, from: string, there: string) =>
        nameFor({ path: pathFrom(path, from), name: there }, there),
      )
      .replaceAll(WORD, (word) => {
        const meant = /^["/]/.test(word) ? undefined : own(word);
        return meant ? nameFor(meant, word) : word;
      });
    texts.push(doors.has(keyOf(target)) ? plain : plain.replace(/^export /m, ""));
  }
  // Without it, all of them would be exported.
  return `// The types of the library.\n${texts.join("")}export {};\n`;
}

function reader(): (path: string) => Source {
  const known = new Map<string, Source>();
  return (path) => {
    const source = known.get(path) ?? parse(path, readFileSync(path, "utf8"));
    known.set(path, source);
    return source;
  };
}

function parse(path: string, text: string): Source {
  const statements = new Map<string, string>();
  const imports = new Map<string, Name>();
  let comment = "";
  for (const part of text.split(BEGINNING)) {
    const [, next = ""] = COMMENT_BEFORE_NEXT.exec(`\n${part}`) ?? [];
    const statement = part.slice(0, part.length - next.length);
    const [, name] = DECLARED.exec(statement) ?? [];
    if (name !== undefined) statements.set(name, comment + statement);
    const [, list, from] =
      /^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/.exec(statement) ?? [];
    for (const [each] of list?.matchAll(/\w+(?: as \w+)?(?=\s*(?:,|$))/g) ?? []) {
      const [there = "", here = there] = each.split(" as ");
      imports.set(here, { path: pathFrom(path, from ?? ""), name: there });
    }
    comment = next;
  }
  return { statements, imports };
}

function pathFrom(path: string, file: string): string {
  if (!file.startsWith("."))
    throw new Error(`The library's types reach "${file}", which is not ours.`);
  return join(dirname(path), file.replace(/\.js$/, ".d.ts"));
}

function keyOf({ path, name }: Name): string {
  return `${path} ${name}`;
}
