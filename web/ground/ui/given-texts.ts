/** What an address or a form gives under these names, without blanks; nothing of what is empty or no text. */
export const givenTexts = <Name extends string>(
  given: Record<string, unknown>,
  names: readonly Name[],
): { [N in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  ) as { [N in Name]?: string };
