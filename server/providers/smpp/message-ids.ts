import { openRecentMap } from './recent-map.ts';

/**
 * Some message centres answer a submit with an id in hexadecimal and write it in decimal into the receipt, or the
 * other way around. `decimal` and `hex` name the form in the receipts, and both sides are then told in decimal.
 * `same` compares them as they are. `auto` finds out from the ids that were answered lately.
 */
export const RECEIPT_IDS = ['auto', 'same', 'decimal', 'hex'] as const;
export type ReceiptIds = (typeof RECEIPT_IDS)[number];

interface MessageIds {
  /** The id to keep for an answer. */
  answered: (id: string) => string;
  /** The same id for a receipt. */
  receipted: (id: string) => string;
  /** What it may have been in the answer, if that is not remembered, as after a restart. */
  others: (id: string) => string[];
}

const REMEMBERED = 20_000;
const DECIMAL = /^\d{1,40}$/;
const HEX = /^[0-9a-f]{1,40}$/i;

const plain = (id: string): string => id.toLowerCase().replace(/^0+(?=.)/, '');
const toHex = (id: string): string | undefined => (DECIMAL.test(id) ? BigInt(id).toString(16) : undefined);
const toDecimal = (id: string): string | undefined =>
  HEX.test(id) ? BigInt(`0x${id}`).toString() : undefined;

/** Those of ids in hexadecimal that are filled up with zeros. */
const FILLED = [2, 4, 8, 10, 12, 16];

/** The same number in all the ways in which message centres write it. */
const formsOf = (id: string): string[] => {
  const hex = toHex(id) ?? '';
  const filled = FILLED.filter((length) => length > hex.length).map((length) => hex.padStart(length, '0'));
  const inHex = hex === '' ? [] : [hex, ...filled];
  const decimal = toDecimal(id) ?? [];
  const all = [id, plain(id), ...inHex, ...inHex.map((form) => form.toUpperCase())].concat(decimal);
  return [...new Set(all)];
};

const fixed = (answerIsHex: boolean): MessageIds => {
  const told = (id: string, isHex: boolean) => (isHex ? toDecimal(id) : undefined) ?? plain(id);
  return {
    answered: (id) => told(id, answerIsHex),
    receipted: (id) => told(id, !answerIsHex),
    others: () => [],
  };
};

type Turn = (id: string) => string | undefined;

const learning = (): MessageIds => {
  /** By plain form: the ids as they were answered. */
  const recent = openRecentMap<string>(REMEMBERED);
  let turns: Turn[] = [plain, toHex, toDecimal];
  /** The form of the last matching id, for ids that are no longer remembered. */
  let example = '';

  const lookUp = (id: string): string | undefined => {
    for (const turn of turns) {
      const found = recent.get(turn(id) ?? '');
      if (found === undefined) continue;
      // The form that matched last time is tried first: a short id may match in more than one way.
      if (turns[0] !== turn) turns = [turn, ...turns.filter((one) => one !== turn)];
      example = found;
      return found;
    }
    return undefined;
  };
  const writtenAlike = (id: string): string => {
    const [turn = plain] = turns;
    if (turn === plain || example === '') return id;
    const turned = turn(id);
    if (turned === undefined) return id;
    const cased = /[A-F]/.test(example) ? turned.toUpperCase() : turned;
    return example.startsWith('0') ? cased.padStart(example.length, '0') : cased;
  };
  return {
    answered: (id) => {
      recent.set(plain(id), id);
      return id;
    },
    receipted: (id) => lookUp(id) ?? writtenAlike(id),
    others: (id) => (lookUp(id) === undefined ? formsOf(id) : []),
  };
};

const AS_THEY_ARE: MessageIds = { answered: (id) => id, receipted: (id) => id, others: () => [] };

export const messageIds = (form: ReceiptIds): MessageIds => {
  if (form === 'auto') return learning();
  return form === 'same' ? AS_THEY_ARE : fixed(form === 'decimal');
};
