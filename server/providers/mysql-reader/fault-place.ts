/** What messages of MySQL and MariaDB quote of a statement; they tell no place. */
const QUOTED = [
  /near '([\s\S]+)' at line \d+$/,
  /^Unknown column '([^']+)'/,
  /^Table '(?:[^'.]+\.)?([^']+)' doesn't exist/,
  /^FUNCTION (?:[\w$]+\.)?([\w$]+) does not exist/i,
  /denied to user .* for (?:table|column) (?:`[^`]+`\.)?`([^`]+)`/,
];

/** Where in the statement the fault is that the message is about: in UTF-16 units from 0, if it can be found. */
export const faultPlace = (message: string, sql: string): number | undefined => {
  const quoted = QUOTED.map((pattern) => pattern.exec(message)?.[1]).find((text) => text !== undefined);
  if (!quoted) return undefined;
  // The server quotes the rest of the statement, which may be long, or a name with its table.
  const found = [quoted.slice(0, 60), quoted.split('.').at(-1) ?? '']
    .map((text) => sql.toLowerCase().indexOf(text.toLowerCase()))
    .find((place) => place >= 0);
  return found;
};
