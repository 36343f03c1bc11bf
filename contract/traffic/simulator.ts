/**
 * How the simulators behave. This file must not import anything. A phone number is known by its last four
 * digits, an email address by its local part or what follows a plus sign in it: +85261110004, or
 * failed@example.com, or somebody+failed@example.com. Every other recipient is delivered within two seconds.
 */
export const SIMULATED_RECIPIENTS = [
  /** Refused for good: the message is FAILED and refunded. */
  { kind: 'refused', digits: '0001' },
  /** Deferred twice, then delivered. */
  { kind: 'busy', digits: '0002' },
  /** Never answered: after some minutes the message is FAILED_WITH_EXCEPTION. */
  { kind: 'silent', digits: '0003' },
  /** Accepted, then a failure receipt: FAILED and refunded. */
  { kind: 'failed', digits: '0004' },
  /** Accepted after three seconds and delivered after ten. */
  { kind: 'slow', digits: '0005' },
  /** Accepted; no receipt ever comes. */
  { kind: 'no-receipt', digits: '0006' },
  /** Delivered, then read. */
  { kind: 'read', digits: '0007' },
  /** Delivered, then the recipient answers. */
  { kind: 'replies', digits: '0008' },
  /** Delivered, then the recipient answers STOP, which opts nobody out: the number may be a real person's. */
  { kind: 'stops', digits: '0010' },
  /** The receipt is quicker than the carrier's own answer. */
  { kind: 'early-receipt', digits: '0009' },
] as const;

export type SimulatedKind = (typeof SIMULATED_RECIPIENTS)[number]['kind'] | 'delivered';
