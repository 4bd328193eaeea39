// The ways to sign in → the JSON Schema of the part of a file that says how.
import type { JsonObject } from "../json.js";
import { CARRIES, DEFAULT_SIGN_IN_METHOD, SIGN_IN_MEANINGS, SIGN_IN_METHODS } from "../sign-in.js";
import type { SignInField } from "../sign-in.js";
import { ADDRESS } from "./facts.js";
import { object } from "./settings-schema.js";

export const METHODS = Object.entries<Readonly<Record<string, SignInField>>>(SIGN_IN_METHODS);

export function signIn(): JsonObject {
  return {
    type: "object",
    description: "How to sign in. Secrets are references to variables or files, never written out.",
    properties: {
      method: {
        enum: METHODS.map(([name]) => name),
        default: DEFAULT_SIGN_IN_METHOD,
        description: [
          "How to sign in.",
          ...Object.entries(SIGN_IN_MEANINGS).map(([name, meaning]) => `${name}: ${meaning}.`),
        ].join("\n\n"),
      },
      carry: {
        enum: CARRIES,
        default: CARRIES[0],
        description: "How the token travels to the portal.",
      },
      ...Object.fromEntries(
        METHODS.flatMap(([, fields]) => Object.entries(fields)).map(([name, each]) => [
          name,
          fieldSchema(each),
        ]),
      ),
    },
    allOf: METHODS.map(([name, fields]) => ({ if: isMethod(name), then: onlyFields(fields) })),
  };
}

export function isMethod(name: string): JsonObject {
  return { required: ["method"], properties: { method: { const: name } } };
}

/** Which fields may stand there; what each holds is said once for all methods. */
export function onlyFields(fields: Readonly<Record<string, SignInField>>): JsonObject {
  const names = ["method", "carry", ...Object.keys(fields)];
  return object(Object.fromEntries(names.map((name) => [name, {}])));
}

export function requiredOf(fields: Readonly<Record<string, SignInField>>): string[] {
  return Object.keys(fields).filter((key) => fields[key]?.isRequired);
}

function fieldSchema(field: SignInField): JsonObject {
  const orVariable = field.variable ? ` When left out: \${env:${field.variable}}.` : "";
  return {
    ...(field.type === "minutes"
      ? { type: "integer", minimum: 1 }
      : { type: "string", minLength: 1 }),
    ...(field.type === "address" && { pattern: ADDRESS }),
    ...(field.isSecret && { pattern: "^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:[^}]+)\\}$" }),
    description: field.meaning + orVariable,
    ...(field.variable && { default: `\${env:${field.variable}}` }),
  };
}
