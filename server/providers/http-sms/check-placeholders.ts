import { placeholderNames } from './placeholders.ts';

interface PlaceholderFault {
  path: (string | number)[];
  message: string;
}

const OF_MESSAGE = ['to', 'from', 'text', 'id', 'callbackUrl'];
/** A text may contain anything, and a header can't escape it. */
const IN_HEADERS = OF_MESSAGE.filter((name) => name !== 'text');

type Path = (string | number)[];

const isCheck = (path: Path): boolean =>
  (path[0] === 'status' || path[0] === 'inbound') && path[1] === 'check';

/** The placeholders that are allowed at a place; undefined: none are looked for there. */
const allowedAt = (path: Path): { names: string[]; secrets: boolean; headers: boolean } | undefined => {
  if (path[0] === 'send' && path[1] === 'headers')
    return { names: IN_HEADERS, secrets: true, headers: false };
  if (path[0] === 'send' && path[1] === 'basicAuth') return { names: [], secrets: true, headers: false };
  if (path[0] === 'send') return { names: OF_MESSAGE, secrets: true, headers: false };
  if (isCheck(path) && path[2] === 'value') return { names: [], secrets: true, headers: false };
  if (isCheck(path) && path[2] === 'over') return { names: ['body', 'url'], secrets: false, headers: true };
  return undefined;
};

const faultOf = (name: string, path: Path, secrets: Set<string>): string | undefined => {
  const allowed = allowedAt(path);
  if (!allowed) return undefined;
  const { names, secrets: mayHoldSecrets, headers } = allowed;
  if (names.includes(name)) return undefined;
  if (headers && /^header\.\S+$/.test(name)) return undefined;
  if (mayHoldSecrets && name.startsWith('secret.'))
    return secrets.has(name.slice('secret.'.length)) ? undefined : `${name} is not among the secrets`;
  const known = [...names, ...(mayHoldSecrets ? ['secret.NAME'] : []), ...(headers ? ['header.NAME'] : [])];
  return `{{${name}}} is not known here; known are ${known.map((one) => `{{${one}}}`).join(', ')}`;
};

function* stringsIn(value: unknown, path: Path): Generator<{ text: string; path: Path }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* stringsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

interface Checked {
  secrets: Record<string, unknown>;
  status?: { check: object } | undefined;
  inbound?: { check: object } | undefined;
}

/** Every placeholder must be known at its place, and every named secret must exist. */
export function* checkPlaceholders(template: Checked): Generator<PlaceholderFault> {
  const secrets = new Set(Object.keys(template.secrets));
  for (const { text, path } of stringsIn(template, []))
    for (const name of placeholderNames(text)) {
      const message = faultOf(name, path, secrets);
      if (message) yield { path, message };
    }
  for (const kind of ['status', 'inbound'] as const) {
    const { secret, over, time } = (template[kind]?.check ?? {}) as {
      secret?: string;
      over?: string;
      time?: { header: string };
    };
    if (secret !== undefined && !secrets.has(secret))
      yield { path: [kind, 'check', 'secret'], message: `${secret} is not among the secrets` };
    const signed = placeholderNames(over ?? '').map((name) => name.toLowerCase());
    if (time && !signed.includes(`header.${time.header}`))
      yield {
        path: [kind, 'check', 'time', 'header'],
        message: `${time.header} is not signed: name it in "over"`,
      };
  }
}
