// A change under review that would send a secret away: refused before anything is sent.
import { expect, test } from "vitest";
import { headFor, openPlace, type Place } from "./place.js";

const TEXT = (value: string) => `settings: { informationalBanner: { text: "${value}" } }\n`;

interface Case {
  readonly exit: number;
  readonly says: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  readonly write: (place: Place) => void;
}

const ELSEWHERE = { LINTEL_ALLOWED_HOSTS: "gis.example.com" };

const CASES: Readonly<Record<string, Case>> = {
  "names the variable of the key under settings": {
    exit: 3,
    says: /LINTEL_WEB_SERVICES_KEY/,
    write: (place) => place.write(TEXT("${env:LINTEL_WEB_SERVICES_KEY}")),
  },
  "names it with a fallback, in the middle of a text": {
    exit: 3,
    says: /LINTEL_WEB_SERVICES_KEY/,
    write: (place) => place.write(TEXT("a ${env:LINTEL_WEB_SERVICES_KEY:-b} c")),
  },
  "names it in a part that the file extends": {
    exit: 3,
    says: /_part\.yaml/,
    write: (place) => {
      place.write(TEXT("${env:LINTEL_BEID}"), { name: "_part.yaml", head: "" });
      place.write("extends: ./_part.yaml\n");
    },
  },
  "names a file of the machine under settings": {
    exit: 3,
    says: /\/etc\/passwd/,
    write: (place) => place.write(TEXT("${file:/etc/passwd}")),
  },
  "names a file above its folder": {
    exit: 3,
    says: /\.\.\/\.\.\/etc\/passwd/,
    write: (place) => place.write(TEXT("${file:../../etc/passwd}")),
  },
  "moves the sign-in to another host": {
    exit: 4,
    says: /LINTEL_ALLOWED_HOSTS/,
    env: ELSEWHERE,
    write: (place) => place.write(TEXT("x")),
  },
};

test.each(Object.entries(CASES))(
  "refuses a file that %s before anything is sent",
  async (_, { exit, says, env, write }) => {
    const place = await openPlace();
    write(place);
    for (const words of [
      "apply --yes",
      "apply --yes --allow unread-portal",
      "plan --save plan.json",
    ]) {
      const ran = await place.run(words, env && { env });
      expect(ran.exit).toBe(exit);
      expect(ran.stdout + ran.stderr).toMatch(says);
      expect(ran.stdout + ran.stderr).not.toContain(place.sandbox.webServicesKey);
      expect(ran.stdout + ran.stderr).not.toContain("root:");
    }
    expect(place.sandbox.requests).toEqual([]);
    expect(place.state()).toBeUndefined();
  },
);

test("sends no token to another host of a changed file", async () => {
  const [signIn, thief] = [await openPlace(), await openPlace()];
  const env = { LINTEL_ALLOWED_HOSTS: signIn.sandbox.url };
  for (const portal of ["", ", read: never"]) {
    const head = headFor(thief, portal).replace(thief.sandbox.signInUrl, signIn.sandbox.signInUrl);
    signIn.write(TEXT("x"), { head });
    const ran = await signIn.run("apply --yes --allow unread-portal", { env });
    expect(ran.exit).toBe(4);
    expect(ran.stdout + ran.stderr).toContain("LINTEL_ALLOWED_HOSTS");
  }
  expect(thief.sandbox.requests).toEqual([]);
});
