// Core type: a sign-in: its methods, their fields, and the variable for each field that the file omits.
import type { Secret } from "./secret.js";

export interface SignInField {
  readonly meaning: string;
  /** The file must contain it; there is no default. */
  readonly isRequired?: true;
  /** A file may contain it only as a reference to a variable or a file. */
  readonly isSecret?: true;
  readonly variable?: `LINTEL_${string}`;
  readonly type?: "minutes" | "address";
  /** Sent in a header, which allows fewer characters than a form; a token is a single word there. */
  readonly header?: "words" | "word";
}

const url: SignInField = {
  meaning: "The base address of the sign-in service.",
  isRequired: true,
  type: "address",
};
const username: SignInField = { meaning: "The account's name.", variable: "LINTEL_USERNAME" };
const password: SignInField = {
  meaning: "The account's password.",
  isSecret: true,
  variable: "LINTEL_PASSWORD",
};

const adminKey = (name: string, variable: `LINTEL_${string}`): SignInField => ({
  meaning: `The service account's ${name}. Administrators with the permission "Add BE Administrators" see it on the organization's page of the administration console.`,
  isSecret: true,
  variable,
});

export const SIGN_IN_METHODS = {
  loginadmin: {
    url,
    beid: adminKey("BEID", "LINTEL_BEID"),
    webServicesKey: adminKey("key", "LINTEL_WEB_SERVICES_KEY"),
  },
  login: { url, username, password },
  auth: { url, username, password },
  loginsso: {
    url,
    cookie: {
      meaning: "The cookie of a browser that is signed in.",
      isSecret: true,
      header: "words",
      variable: "LINTEL_SSO_COOKIE",
    },
  },
  token: {
    token: {
      meaning: "A token made elsewhere.",
      isSecret: true,
      header: "word",
      variable: "LINTEL_TOKEN",
    },
  },
  "generate-token": {
    username,
    password,
    referer: {
      meaning: 'The referer that the token is bound to; "lintel" when left out.',
      header: "words",
    },
    expiration: { meaning: "The token's life in minutes.", type: "minutes" },
  },
  "client-credentials": {
    clientId: { meaning: "The application's id.", variable: "LINTEL_CLIENT_ID" },
    clientSecret: {
      meaning: "The application's secret.",
      isSecret: true,
      variable: "LINTEL_CLIENT_SECRET",
    },
  },
} as const satisfies Record<string, Record<string, SignInField>>;

export type SignInMethod = keyof typeof SIGN_IN_METHODS;

export function fieldOf(method: SignInMethod, name: string): SignInField | undefined {
  const fields: Readonly<Record<string, SignInField>> = SIGN_IN_METHODS[method];
  return fields[name];
}

/** The fields of each method, and when to choose it. */
export const SIGN_IN_MEANINGS: Readonly<Record<SignInMethod, string>> = {
  loginadmin: "keys of an administrative service account; the one for pipelines",
  login: "an account's name and password; where there is no service account",
  auth: "the same as login under another path; where login is not answered",
  loginsso: "single sign-on in a browser; for a person at a terminal",
  token: "a token made elsewhere; to try something, because nothing renews it",
  "generate-token": "name and password, at the portal itself, which has no sign-in service",
  "client-credentials": "an application's id and secret, at the portal itself; from 11.4 on",
};

export const DEFAULT_SIGN_IN_METHOD: SignInMethod = "loginadmin";

/** How the token is sent to the portal; the first is the default. */
export const CARRIES = ["authorization", "x-esri-authorization", "form-token"] as const;

/** A program that prints one secret, listed by the machine's owner. Runs at each sign-in. */
export interface SecretCommand {
  readonly name: string;
  /** The configuration that lists it. */
  readonly config: string;
  /** Its path and arguments. */
  readonly program: readonly [path: string, ...words: string[]];
  readonly limitMs: number;
}

export type Carry = (typeof CARRIES)[number];

/** A sign-in with its references resolved. Missing fields are absent. */
export interface SignIn {
  readonly method: SignInMethod;
  readonly carry: Carry;
  readonly fields: Readonly<Record<string, string | number | Secret | SecretCommand | undefined>>;
  /** The variables that a file names for missing fields. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The address of the service as in the file, if it contains references. */
  readonly writtenUrl?: string;
  /** The root of the portal's interface, for tokens that the portal issues. */
  readonly portalUrl: string;
}

/** A sign that the value was copied or stored incorrectly, continuing "it"; undefined if it can be sent. */
export function whyUnusable(text: string, field: SignInField | undefined): string | undefined {
  if (/\p{Cc}/u.test(text)) return "holds a line break or another control character";
  if (field?.header && !/^[\x20-\x7e]*$/.test(text)) {
    return "holds a character that no header can carry";
  }
  return field?.header === "word" && text.includes(" ") ? "holds a blank" : undefined;
}

export function isCommand(value: unknown): value is SecretCommand {
  return typeof value === "object" && value !== null && "program" in value;
}
