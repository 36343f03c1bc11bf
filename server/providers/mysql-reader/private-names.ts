import { type Token, textAt } from './tokens.ts';

/** Databases of the server that tell what others ask, or the hashes of their passwords. */
export const PRIVATE_DATABASES = new Set(['performance_schema', 'sys', 'mysql']);
/** What SHOW tells of others, or of how one signs in. */
const SHOWN = /^(grants|processlist|explain|analyze|engine|user|binlog|relaylog|userstat)$/;

/** All of a zone's statements are one user's, who sees its own: answers what would show another's. */
export const privateNameAt = (tokens: Token[], at: number): string | undefined => {
  const { kind, text } = tokens[at] ?? {};
  const name = kind === 'name' ? text?.slice(1, -1).toLowerCase() : textAt(tokens, at);
  if (name === undefined || kind === 'text') return undefined;
  if (name === 'processlist') return name;
  if (PRIVATE_DATABASES.has(name) && textAt(tokens, at + 1) === '.') return name;
  // SHOW is a reserved word; what is shown stands behind it, after FULL, ALL or CREATE.
  const shows = textAt(tokens, 0) === 'show' && at > 0 && at < 4;
  return shows && SHOWN.test(name) && isShownAt(tokens, at) ? name : undefined;
};

const isShownAt = (tokens: Token[], at: number): boolean =>
  at === 1 || ['full', 'all', 'create', 'format', 'json', '='].includes(textAt(tokens, at - 1));
