// Noun: a number of which the text says more than a JavaScript number holds, such as 12345678901234567890, 1e400, 1.0 and -0.

const SOURCE = Symbol("source");

/** Made by `numberFrom` alone. It is frozen, so that two places may hold the same one. */
export interface Numeral {
  readonly [SOURCE]: string;
}

let printed = 0;

/** JSON.stringify can write nothing but a text here; whoever prints exactly learns from the count that it did. */
function toJSON(this: Numeral): string {
  printed++;
  return this[SOURCE];
}

/** How many numerals JSON.stringify has met so far. */
export function numeralsPrinted(): number {
  return printed;
}

/** What a number's JSON text means: a plain number where that is written in the same way again. */
export function numberFrom(text: string): number | Numeral {
  const number = Number(text);
  return String(number) === text ? number : Object.freeze({ [SOURCE]: text, toJSON });
}

export function isNumeral(value: unknown): value is Numeral {
  return typeof value === "object" && value !== null && SOURCE in value;
}

export function textOfNumeral(numeral: Numeral): string {
  return numeral[SOURCE];
}

/** The nearest number, which may be infinite; undefined for anything but a number. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return isNumeral(value) ? Number(value[SOURCE]) : undefined;
}

/** The same for every way to write one number: the plain number where there is one, else its shortest numeral. */
export function plainest(numeral: Numeral): number | Numeral {
  const parts = partsOf(numeral[SOURCE]);
  const number = Number(numeral[SOURCE]);
  if (Number.isFinite(number) && isSame(parts, partsOf(String(number)))) return number || 0;
  const { sign, digits, exponent } = parts;
  return numberFrom(`${sign}${digits}e${exponent}`);
}

/** A number's sign, its digits without zeros at either end, and the power of ten that they are multiplied by. */
interface Parts {
  readonly sign: string;
  readonly digits: string;
  readonly exponent: bigint;
}

function partsOf(text: string): Parts {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return { sign: "", digits: "0", exponent: 0n };
  const dropped = all.length - digits.length - fraction.length;
  return { sign, digits, exponent: BigInt(power) + BigInt(dropped) };
}

function isSame(left: Parts, right: Parts): boolean {
  return (
    left.sign === right.sign && left.digits === right.digits && left.exponent === right.exponent
  );
}
