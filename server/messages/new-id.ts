import { randomUUID } from 'node:crypto';

const SEQUENCE_END = 0x1000;
let lastMs = 0;
let sequence = 0;

/**
 * A UUID of version 7 (RFC 9562, section 6.2, method 1): ids made in one process sort in the order in which they
 * were made, as long as 4096 a millisecond suffice; beyond that the clock is run ahead.
 */
export const newId = (): string => {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = 0;
  } else {
    sequence += 1;
    if (sequence === SEQUENCE_END) {
      lastMs += 1;
      sequence = 0;
    }
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const random = randomUUID().slice(19);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${random}`;
};
