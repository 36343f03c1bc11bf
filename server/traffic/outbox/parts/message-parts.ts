import type { SentPart } from '../../lanes/index.ts';

/** What is stored of a part of a message. */
export interface MessagePart extends Omit<SentPart, 'state'> {
  state: SentPart['state'] | 'delivered' | 'failed';
  /** When it was delivered, as an ISO text. */
  at?: string;
}

/** What the receipts of one part say. */
export interface PartReceipt {
  /** The carrier's. */
  partId: string;
  deliveredAt: Date | null;
  /** Null unless the message failed. */
  failedCode: string | null;
}

/** What its parts mean for a message. */
export interface PartsVerdict {
  status: 'SUCCESS' | 'FAILED' | 'PENDING';
  code: string;
  reason: string;
  /** Set once all parts are delivered. */
  deliveredAt: Date | null;
}

/** Written for every failure receipt; its code says more. */
export const UNDELIVERED_REASON = 'The carrier reported that it was not delivered.';
const NOT_SENT = { code: 'PART_NOT_SENT', reason: 'A part of it was not sent.' };
const NO_ANSWER = 'Nobody knows whether each of its parts was sent.';

const isOver = ({ state }: MessagePart): boolean => state === 'delivered' || state === 'failed';
const hasFailed = ({ state }: MessagePart): boolean =>
  state === 'failed' || state === 'refused' || state === 'waiting';

const verdict = (status: PartsVerdict['status'], said: Partial<PartsVerdict> = {}): PartsVerdict => ({
  status,
  code: '',
  reason: '',
  deliveredAt: null,
  ...said,
});

/**
 * The one rule of docs/MONEY.md: without one of its parts a message has failed, whatever became of the others; it
 * succeeded when all were taken, and is delivered when all are. Otherwise it is in doubt.
 */
export const verdictOf = (parts: readonly MessagePart[]): PartsVerdict => {
  const failed = parts.filter(hasFailed);
  const [first] = [...failed.filter(({ state }) => state !== 'waiting'), ...failed];
  if (first?.state === 'failed')
    return verdict('FAILED', { code: first.code ?? '', reason: UNDELIVERED_REASON });
  if (first)
    return verdict('FAILED', { code: first.code ?? NOT_SENT.code, reason: first.reason ?? NOT_SENT.reason });
  const silent = parts.find(({ state }) => state === 'unknown');
  if (silent) return verdict('PENDING', { reason: silent.reason ?? NO_ANSWER });
  if (!parts.every(({ state }) => state === 'delivered')) return verdict('SUCCESS');
  const deliveredAt = new Date(Math.max(...parts.map(({ at }) => Date.parse(at ?? ''))));
  return verdict('SUCCESS', { deliveredAt });
};

/** The first final word on a part counts. A receipt of one that nobody knew of shows that it was taken. */
const withReceipt = (part: MessagePart, { deliveredAt, failedCode }: PartReceipt): MessagePart => {
  if (isOver(part)) return part;
  if (failedCode !== null) return { ...part, state: 'failed', code: failedCode };
  if (deliveredAt) return { ...part, state: 'delivered', at: deliveredAt.toISOString() };
  return part.state === 'unknown' ? { ...part, state: 'taken' } : part;
};

export interface Told {
  parts: MessagePart[];
  /** A receipt says of a part, for the first time, that it failed. */
  failedNow: boolean;
  changed: boolean;
}

export const tellParts = (known: readonly MessagePart[], receipts: readonly PartReceipt[]): Told => {
  let changed = false;
  let failedNow = false;
  const parts = known.map((before) =>
    receipts
      .filter(({ partId }) => partId === before.id)
      .reduce((part, receipt) => {
        const after = withReceipt(part, receipt);
        changed ||= after !== part;
        failedNow ||= after !== part && after.state === 'failed';
        return after;
      }, before),
  );
  return { parts, failedNow, changed };
};

/**
 * What a worker says of an attempt that was taken for dead, together with what receipts have shown since: those of parts
 * that it doesn't know went to the first ones that were missing.
 */
export const mergeParts = (known: readonly MessagePart[], said: readonly MessagePart[]): MessagePart[] => {
  const named = new Set(said.flatMap(({ id }) => id ?? []));
  const spare = known.filter(({ id }) => id !== undefined && !named.has(id));
  return said.map((part) => {
    if (part.id !== undefined) return known.find(({ id }) => id === part.id) ?? part;
    return part.state === 'unknown' ? (spare.shift() ?? part) : part;
  });
};

/** The carrier's id that stands for the message. */
export const firstIdOf = (parts: readonly MessagePart[]): string | null =>
  parts.find(({ id }) => id !== undefined)?.id ?? null;
