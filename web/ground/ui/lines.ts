/** What a field of many lines has, without the empty ones. */
export const filledLines = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The first line that the pattern does not fit. */
export const faultyLine = (typed: string, pattern: RegExp): string | undefined =>
  filledLines(typed).find((line) => !pattern.test(line));

/** The name and the value that the pattern finds in each line. */
export const pairsOf = (typed: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries(
    filledLines(typed).flatMap((line) => {
      const [, name = '', value = ''] = pattern.exec(line) ?? [];
      return name ? [[name, value.trim()]] : [];
    }),
  );
