import { MAILBOX_TOKEN_HEADER } from '../../contract/ground/constants.ts';
import type { Endpoint } from '../../test/webhooks/endpoints.ts';
import { csvFile, FORM_TYPE, formOf } from './fuzz-csv.ts';
import { idNameOf, type KnownValues } from './fuzz-known.ts';
import { hashOf, openRandom, type Random } from './fuzz-random.ts';
import type { FuzzAccount, FuzzOptions } from './fuzz-scene.ts';
import { garbage, spoil } from './fuzz-spoil.ts';
import { HOSTILE_TEXTS } from './fuzz-texts.ts';
import { makerOf } from './fuzz-values.ts';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** Makes the next request of its endpoint; undefined while what it needs does not exist. */
export type MakeRequest = () => FuzzRequest | undefined;

const SPOILED = 0.2;
const GARBAGE = 0.06;
/** Requests whose sender may not make them. */
const STRANGERS = 0.06;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
const inPath = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed()) || '%20';

const queryOf = (query: object): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, asText(one));
  return search.size > 0 ? `?${search}` : '';
};

/** Header values that HTTP allows. */
const headerText = (value: unknown): string => asText(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

interface Who {
  account: FuzzAccount;
  authorization: string;
}

const chooseWho = (guard: string, random: Random, options: FuzzOptions): Who => {
  const { main, other, admin } = options;
  if (random.chance(STRANGERS))
    return {
      account: main,
      authorization: random.pick([
        '',
        'Bearer x',
        headerText(random.pick(HOSTILE_TEXTS)),
        other.token,
        other.secret,
      ]),
    };
  if (guard === 'admin') return { account: admin, authorization: admin.token };
  if (guard !== 'sender') return { account: main, authorization: main.token };
  const { secret, testSecret, token } = main;
  return { account: main, authorization: random.pick([secret, secret, testSecret, token]) };
};

/** Calls that end what they are made with get accounts and sessions of their own. */
const spendable = (
  { name }: Endpoint,
  random: Random,
  options: FuzzOptions,
  known: KnownValues,
): (Who & { body?: object }) | 'none' | undefined => {
  const as = (account: FuzzAccount): Who => ({ account, authorization: account.token });
  if (name === 'POST /account/logout') {
    const session = known.take('session');
    return session ? { account: options.main, authorization: String(session) } : 'none';
  }
  if (/oldSecrets|secret\/rotate|apiInfo/.test(name)) return as(options.rotating);
  if (name === 'POST /account/:accountId/close' && random.chance(0.02)) {
    const account = options.closing.pop();
    return account && { ...as(account), body: { email: account.email, password: account.password } };
  }
  if (name === 'POST /account/login' && random.chance(0.4)) {
    const { email, password } = random.pick(options.signers);
    return { account: options.main, authorization: '', body: { email, password } };
  }
  return undefined;
};

/** Requests of one endpoint, the same ones for the same seed but for what exists when they are made. */
export const openRequests = (endpoint: Endpoint, options: FuzzOptions, known: KnownValues): MakeRequest => {
  const random = openRandom(options.seed ^ hashOf(endpoint.name));
  const { method, path, guard, params, query, headers, body, form } = endpoint;
  let who: Who = { account: options.main, authorization: '' };
  let channel = 'sms';
  const find = (field: string): unknown => {
    if (field === 'channel') {
      channel = random.pick(['sms', 'sms', 'email', 'email', 'whatsapp']);
      return channel;
    }
    // Of the channel that the path names: others are refused before anything is done with them.
    if (field === 'phone' && random.chance(0.8))
      return channel === 'email'
        ? `a${random.int(1_000)}@example.com`
        : `+8526${1_000_000 + random.int(9_000)}`;
    if (field === 'accountId') return guard === 'admin' ? options.main.accountId : who.account.accountId;
    if (field === 'email')
      return path.endsWith('register')
        ? `fuzz-${random.uuid()}@example.com`
        : random.pick(options.signers).email;
    if (field === 'password' || field === 'confirmPassword') return options.main.password;
    return known.find(field === '_id' || field === 'before' ? idNameOf(path) : field, random);
  };
  const make = {
    params: params && makerOf(params, find),
    query: query && makerOf(query, find),
    headers: headers && makerOf(headers, find),
    body: body && makerOf(body, find),
    fields: form && makerOf(form.fields, find),
  };
  /** One part in five has a place that is wrong. */
  const maybeSpoiled = (value: unknown): Record<string, unknown> =>
    (random.chance(SPOILED / 2) ? spoil(value, random) : value) as Record<string, unknown>;

  const pathOf = (): string => {
    const given = make.params ? maybeSpoiled(make.params(random)) : {};
    return path.replace(/:(\w+)|\*/g, (_, name: string | undefined) => {
      if (!name) return inPath(random.pick(HOSTILE_TEXTS));
      const value = given?.[name] ?? find(name) ?? random.pick(HOSTILE_TEXTS);
      const own = method === 'GET' ? 0 : (options.own[name] ?? 0);
      const id = Number(asText(value));
      return id > 0 && id <= own ? String(own + id) : inPath(value);
    });
  };
  const bodyOf = (fixed: object | undefined): Pick<FuzzRequest, 'body'> & { type?: string } => {
    if (form && make.fields)
      return {
        type: FORM_TYPE,
        body: formOf(random, {
          fields: Object(maybeSpoiled(make.fields(random))),
          file: random.chance(0.97) ? form.file : 'other',
          csv: csvFile(random),
        }),
      };
    if (method === 'GET') return { body: undefined };
    if (endpoint.kind === 'webhooks' || endpoint.kind === 'pages')
      return {
        type: random.pick(['application/json', 'text/plain', 'application/x-www-form-urlencoded']),
        body: garbage('{"a":[1]}', random),
      };
    if (!make.body)
      return random.chance(0.1) ? { type: 'application/json', body: '{}' } : { body: undefined };
    const json = JSON.stringify(fixed ?? maybeSpoiled(make.body(random))) ?? 'null';
    if (random.chance(GARBAGE))
      return {
        type: random.pick(['application/json', 'text/xml', 'application/json; charset=x']),
        body: garbage(json, random),
      };
    return { type: 'application/json', body: json };
  };

  return () => {
    const own = spendable(endpoint, random, options, known);
    if (own === 'none') return undefined;
    who = own ?? chooseWho(guard, random, options);
    const target = pathOf() + (make.query ? queryOf(Object(maybeSpoiled(make.query(random)))) : '');
    const { type, body: content } = bodyOf(own?.body);
    const extra = make.headers ? Object.entries(make.headers(random) as object) : [];
    return {
      method,
      path: target,
      body: content,
      headers: {
        ...Object.fromEntries(extra.map(([name, value]) => [name, headerText(value)])),
        ...(type && { 'content-type': type }),
        ...(who.authorization && { authorization: who.authorization }),
        ...(guard === 'mailbox' && random.chance(0.9) && { [MAILBOX_TOKEN_HEADER]: options.mailboxToken }),
        'accept-language': random.pick(['en', 'zh-HK', '*;q=0', 'x'.repeat(100)]),
      },
    };
  };
};
