import type { SmppAddress } from './codec/pdu-writer.ts';

export interface NumberType {
  ton: number;
  npi: number;
}

/** How each kind of address is marked; message centres differ. */
export interface Addressing {
  international: NumberType;
  /** A sender of few digits. */
  short: NumberType;
  /** A sender in letters. */
  alphanumeric: NumberType;
  /** No requested sender: the message centre uses its own. */
  none: NumberType;
}

export const COMMON_ADDRESSING: Addressing = {
  international: { ton: 1, npi: 1 },
  short: { ton: 3, npi: 0 },
  alphanumeric: { ton: 5, npi: 0 },
  none: { ton: 0, npi: 0 },
};

/** The field has 21 octets, the last of them a zero. */
const MAX_OCTETS = 20;
const SHORT_DIGITS = 8;
const NUMBER = /^\+?\d+$/;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Undefined when it does not fit the field. */
export const senderAddress = (from: string | undefined, addressing: Addressing): SmppAddress | undefined => {
  if (!from) return { ...addressing.none, digits: '' };
  if (NUMBER.test(from)) {
    const digits = from.replace('+', '');
    if (digits.length > MAX_OCTETS) return undefined;
    const isShort = digits === from && digits.length <= SHORT_DIGITS;
    return { ...(isShort ? addressing.short : addressing.international), digits };
  }
  return PRINTABLE.test(from) && from.length <= MAX_OCTETS
    ? { ...addressing.alphanumeric, digits: from }
    : undefined;
};

export const recipientAddress = (to: string, { international }: Addressing): SmppAddress | undefined => {
  const digits = to.startsWith('+') ? to.slice(1) : to;
  return NUMBER.test(to) && digits.length <= MAX_OCTETS ? { ...international, digits } : undefined;
};

const INTERNATIONAL_TON = 1;

/** An address of the far end as we write it: international numbers with their plus sign. */
export const readSmppAddress = ({ ton, digits }: SmppAddress, addressing: Addressing): string =>
  NUMBER.test(digits) &&
  !digits.startsWith('+') &&
  (ton === INTERNATIONAL_TON || ton === addressing.international.ton)
    ? `+${digits}`
    : digits;
