import { type Addressing, COMMON_ADDRESSING, type NumberType } from './address.ts';
import { RECEIPT_IDS, type ReceiptIds } from './message-ids.ts';

export interface SmppOptions {
  host: string;
  port: number;
  /** `ca` is a certificate to trust, in PEM; without `verify` any is taken. */
  tls: { verify: boolean; ca?: string } | undefined;
  systemId: string;
  password: string;
  systemType: string;
  /** Connections at the same time. */
  binds: number;
  /** Unanswered messages per bind. */
  window: number;
  /** After this much silence an enquire_link checks whether the far end is there. */
  enquireLinkMs: number;
  /** How long to wait for any answer. */
  timeoutMs: number;
  addressing: Addressing;
  longMessages: 'udh' | 'payload';
  /** Whether to request receipts. */
  receipts: boolean;
  /**
   * Whether an incoming text in the form of a receipt is one although nothing marks it so: whoever writes such a text to
   * our number makes a message fail, and be refunded.
   */
  unmarkedReceipts: boolean;
  receiptIds: ReceiptIds;
  /** Minutes that the far end's clock is ahead of UTC. Without it a receipt has the time of its arrival. */
  utcOffsetMinutes: number | undefined;
  /** How long the parts of an incoming message may take. */
  reassemblyMs: number;
  reconnect: { firstMs: number; maxMs: number };
}

export const SMPP_DEFAULTS = {
  tls: undefined,
  systemType: '',
  binds: 2,
  window: 100,
  enquireLinkMs: 30_000,
  timeoutMs: 30_000,
  addressing: COMMON_ADDRESSING,
  longMessages: 'udh',
  receipts: true,
  unmarkedReceipts: false,
  receiptIds: 'auto',
  utcOffsetMinutes: undefined,
  reassemblyMs: 10 * 60_000,
  reconnect: { firstMs: 250, maxMs: 30_000 },
} as const satisfies Partial<SmppOptions>;

/** SMPP 3.4, section 4.1.1, without the zero at the end. It has 8 for passwords, but many take longer ones. */
const LIMITS = { systemId: 15, password: 64, systemType: 12 };

const isText = (text: string, octets: number): boolean =>
  text.length <= octets && /^[\x20-\x7e]*$/.test(text);

class Query {
  readonly #query: URLSearchParams;
  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  #take(name: string): string | undefined {
    const value = this.#query.get(name) ?? undefined;
    this.#query.delete(name);
    return value;
  }

  number(name: string, common: number, [min, max]: readonly [number, number]): number {
    const value = this.#take(name);
    if (value === undefined) return common;
    if (!/^-?\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new Error(`${name} must be a number from ${min} to ${max}`);
    return Number(value);
  }

  choice<Choice extends string>(name: string, common: Choice, choices: readonly Choice[]): Choice {
    const value = this.#take(name);
    if (value === undefined) return common;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}`);
    return chosen;
  }

  text(name: string, common: string, octets: number): string {
    const value = this.#take(name) ?? common;
    if (!isText(value, octets)) throw new Error(`${name} must have at most ${octets} plain characters`);
    return value;
  }

  /** Such as `short=3.0`: the type of number and the numbering plan. */
  numberType(name: keyof Addressing): NumberType {
    const value = this.#take(name);
    if (value === undefined) return COMMON_ADDRESSING[name];
    const found = /^([0-6])\.(\d|1[0-8])$/.exec(value);
    if (!found) throw new Error(`${name} must be two numbers such as 1.1: the type and the numbering plan`);
    return { ton: Number(found[1]), npi: Number(found[2]) };
  }

  refuseRest(): void {
    const [name] = this.#query.keys();
    if (name !== undefined) throw new Error(`${name} is not known`);
  }
}

const YES_NO = ['yes', 'no'] as const;
const ANY_OFFSET = [-14 * 60, 14 * 60] as const;

const readUrl = (setting: string): SmppOptions => {
  if (!URL.canParse(setting)) throw new Error('it is not an address');
  const url = new URL(setting);
  if (url.protocol !== 'smpp:' && url.protocol !== 'ssmpp:')
    throw new Error('it must begin with smpp:// or ssmpp://');
  const secure = url.protocol === 'ssmpp:';
  const systemId = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  if (url.hostname === '') throw new Error('the host is missing');
  if (systemId === '' || !isText(systemId, LIMITS.systemId))
    throw new Error(`the user must have 1 to ${LIMITS.systemId} plain characters`);
  if (!isText(password, LIMITS.password)) throw new Error('the password must be of plain characters');
  const query = new Query(url.searchParams);
  const verify = query.choice('verify', 'yes', YES_NO) === 'yes';
  const hasOffset = url.searchParams.has('utcOffset');
  const offset = query.number('utcOffset', 0, ANY_OFFSET);
  const receipts = query.choice('receipts', 'yes', [...YES_NO, 'unmarked']);
  const options: SmppOptions = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 3550 : 2775) : Number(url.port),
    tls: secure ? { verify } : undefined,
    systemId,
    password,
    systemType: query.text('systemType', SMPP_DEFAULTS.systemType, LIMITS.systemType),
    binds: query.number('binds', SMPP_DEFAULTS.binds, [1, 50]),
    window: query.number('window', SMPP_DEFAULTS.window, [1, 10_000]),
    enquireLinkMs: query.number('enquireLinkMs', SMPP_DEFAULTS.enquireLinkMs, [100, 3_600_000]),
    timeoutMs: query.number('timeoutMs', SMPP_DEFAULTS.timeoutMs, [100, 600_000]),
    addressing: {
      international: query.numberType('international'),
      short: query.numberType('short'),
      alphanumeric: query.numberType('alphanumeric'),
      none: query.numberType('none'),
    },
    longMessages: query.choice('longMessages', SMPP_DEFAULTS.longMessages, ['udh', 'payload']),
    receipts: receipts !== 'no',
    unmarkedReceipts: receipts === 'unmarked',
    receiptIds: query.choice('receiptIds', SMPP_DEFAULTS.receiptIds, RECEIPT_IDS),
    utcOffsetMinutes: hasOffset ? offset : undefined,
    reassemblyMs: query.number('reassemblyMs', SMPP_DEFAULTS.reassemblyMs, [100, 86_400_000]),
    reconnect: SMPP_DEFAULTS.reconnect,
  };
  query.refuseRest();
  return options;
};

/** Parses a setting such as smpp://user:pass@host:2775?binds=2&window=100. Its errors never contain the password. */
export const smppOptions = (setting: string): SmppOptions => {
  try {
    return readUrl(setting);
  } catch (error) {
    throw new Error(`Not a setting for SMPP: ${(error as Error).message}.`);
  }
};
