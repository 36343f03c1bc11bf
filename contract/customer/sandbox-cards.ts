/**
 * The test cards of the sandbox: the only numbers that it accepts. This file must not import anything.
 * The page describes each by the text labelled `sandboxCard.` and its kind.
 */
export const SANDBOX_CARDS = [
  { kind: 'success-visa', number: '4242424242424242', brand: 'visa' },
  { kind: 'success-mastercard', number: '5555555555554444', brand: 'mastercard' },
  { kind: 'declined', number: '4000000000000341', brand: 'visa' },
  { kind: 'insufficient-funds', number: '4000000000009995', brand: 'visa' },
  { kind: 'lost-card', number: '4000000000009987', brand: 'visa' },
  { kind: 'expired-card', number: '4000000000000069', brand: 'visa' },
  /** The card holder has to approve each payment; an automatic top-up, where nobody is there to do so, fails. */
  { kind: 'authentication', number: '4000002760003184', brand: 'visa' },
  { kind: 'slow-success', number: '4000000000002008', brand: 'visa' },
  { kind: 'slow-failure', number: '4000000000002016', brand: 'visa' },
  /** Expires at the end of the month in which it is added, whatever date is typed. */
  { kind: 'expires-soon', number: '4000000000003006', brand: 'visa' },
] as const;

export type SandboxCard = (typeof SANDBOX_CARDS)[number];
export type SandboxCardKind = SandboxCard['kind'];
