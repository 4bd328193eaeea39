// What validating has found, as SARIF → errors and warnings that Azure shows with the run, and how many more there are.
import { madeText } from "./made.js";

/** Of each kind the agent shows so many of a step, and counts the others without telling. */
const MOST = 10;
/** Far longer than any report of files that people write. */
const LONGEST = 5_000_000;

interface Found {
  readonly level: string;
  readonly ruleId?: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region?: { readonly startLine?: number; readonly startColumn?: number };
    };
  }[];
}

interface Sarif {
  readonly runs: readonly { readonly results: readonly Found[] }[];
}

/** What the agent reads back, in the message and in what stands before it. */
const inMessage = (text: string) =>
  text.replaceAll("%", "%AZP25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const inProperty = (text: string) => inMessage(text).replaceAll(";", "%3B").replaceAll("]", "%5D");

function tell(
  type: string,
  properties: readonly (readonly [string, string | number | undefined])[],
  text: string,
) {
  const told = properties.flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${inProperty(String(value))};`,
  );
  process.stdout.write(`##vso[task.logissue type=${type};${told.join("")}]${inMessage(text)}\n`);
}

function tellOne(type: string, { ruleId, message, locations }: Found): void {
  const place = locations?.[0]?.physicalLocation;
  const properties = [
    ["sourcepath", place && decodeURIComponent(place.artifactLocation.uri)],
    ["linenumber", place?.region?.startLine],
    ["columnnumber", place?.region?.startColumn],
    ["code", ruleId],
  ] as const;
  tell(type, properties, message.text);
}

const text = madeText("lintel.sarif", LONGEST);
const results =
  text === undefined ? [] : (JSON.parse(text) as Sarif).runs.flatMap((run) => run.results);
for (const type of ["error", "warning"]) {
  const found = results.filter(({ level }) => level === type);
  const shown = found.length > MOST ? MOST - 1 : MOST;
  for (const each of found.slice(0, shown)) tellOne(type, each);
  const left = found.length - shown;
  if (left > 0) tell(type, [], `${left} more: all of them are on the page Tests, and in the log.`);
}
