// Noun: a word of a command that people are told to run, quoted where a shell would split it or read it otherwise.

/** As it stands where that is safe in the usual shells; what looks like an option is made a path. */
export function shellWord(text: string): string {
  const word = text.startsWith("-") && text !== "-" ? `./${text}` : text;
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
