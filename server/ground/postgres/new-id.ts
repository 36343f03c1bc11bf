import { randomUUID } from 'node:crypto';

const SEQUENCE_END = 0x1000;
let lastMs = 0;
let sequence = 0;
/** How ids of that millisecond begin. */
let begin = '';

const startMs = (ms: number): void => {
  lastMs = ms;
  sequence = 0;
  const time = ms.toString(16).padStart(12, '0');
  begin = `${time.slice(0, 8)}-${time.slice(8)}-7`;
};

/**
 * A UUID of version 7 (RFC 9562, section 6.2, method 1): ids made in one process sort in the order in which they
 * were made, as long as 4096 a millisecond suffice; beyond that the clock is run ahead.
 */
export const newId = (): string => {
  const now = Date.now();
  if (now > lastMs) startMs(now);
  else {
    sequence += 1;
    if (sequence === SEQUENCE_END) startMs(lastMs + 1);
  }
  return `${begin}${sequence.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
};
