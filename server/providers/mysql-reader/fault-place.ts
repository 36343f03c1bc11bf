/** What messages of MySQL and MariaDB quote of a statement; they tell no place. */
const QUOTED = [
  /^Unknown column '([^']+)'/,
  /^Table '(?:[^'.]+\.)?([^']+)' doesn't exist/,
  /^FUNCTION (?:[\w$]+\.)?([\w$]+) does not exist/i,
];

/** Of a fault in the syntax: … near 'the rest of the statement' at line 1. */
const restIn = (message: string): string | undefined => {
  const begin = message.indexOf("near '");
  const end = message.lastIndexOf("' at line ");
  return begin >= 0 && end > begin ? message.slice(begin + 6, end) : undefined;
};

/** Where in the statement the fault is that the message is about: in UTF-16 units from 0, if it can be found. */
export const faultPlace = (message: string, sql: string): number | undefined => {
  const quoted =
    restIn(message) ?? QUOTED.map((pattern) => pattern.exec(message)?.[1]).find((text) => text !== undefined);
  if (!quoted) return undefined;
  // The rest of a statement may be long, and a name may come with its table.
  const found = [quoted.slice(0, 60), quoted.split('.').at(-1) ?? '']
    .map((text) => sql.toLowerCase().indexOf(text.toLowerCase()))
    .find((place) => place >= 0);
  return found;
};
