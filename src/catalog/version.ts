// Compares portal versions, and builds a pattern for a version and all newer ones.

type Numbers = readonly [major: number, minor: number, patch: number];

/** Undefined for a text that is not a version. */
export function parseVersion(text: string): Numbers | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Negative if `left` is older. Both must be versions. */
export function compareVersions(left: string, right: string): number {
  const [l, r] = [numbersOf(left), numbersOf(right)];
  return l[0] - r[0] || l[1] - r[1] || l[2] - r[2];
}

function numbersOf(text: string): Numbers {
  const numbers = parseVersion(text);
  if (!numbers) throw new TypeError(`"${text}" is no version`);
  return numbers;
}

/** A regular expression for `version` and newer ones, because schemas cannot compare versions. */
export function patternFrom(version: string): string {
  const [major, minor, patch] = numbersOf(version);
  const newerMajor = `${from(major + 1)}\\.[0-9]+(\\.[0-9]+)?`;
  const newerMinor = `${major}\\.${from(minor + 1)}(\\.[0-9]+)?`;
  const same =
    patch === 0 ? `${major}\\.${minor}(\\.[0-9]+)?` : `${major}\\.${minor}\\.${from(patch)}`;
  return `^(${newerMajor}|${newerMinor}|${same})$`;
}

/** A pattern for whole numbers from `least` on. */
function from(least: number): string {
  const digits = String(least);
  const higher = Array.from(digits).flatMap((digit, at) => {
    const rest = digits.length - at - 1;
    const more = rest ? `[0-9]{${rest}}` : "";
    return digit === "9" ? [] : [`${digits.slice(0, at)}[${Number(digit) + 1}-9]${more}`];
  });
  return `(${[digits, `[1-9][0-9]{${digits.length},}`, ...higher].join("|")})`;
}
