// The words after an action of lintel state → the files, and the addresses of places among them.
import { stateKindOf } from "../../state-address/kinds.js";

export interface Named {
  readonly files: readonly string[];
  readonly addresses: readonly string[];
}

export function addressesAmong(words: readonly string[]): Named {
  const isAddress = (word: string) => stateKindOf(word) !== undefined;
  return {
    files: words.filter((word) => !isAddress(word)),
    addresses: words.filter(isAddress),
  };
}
