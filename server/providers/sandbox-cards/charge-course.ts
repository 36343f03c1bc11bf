import type { SandboxCardKind } from '../../../contract/customer/sandbox-cards.ts';
import type { ChargeState, DeclineCode } from '../../customer/wallet/card-processor.ts';

/** The course of a charge from its beginning to its end. It is part of the charge's reference. */
export type ChargeCourse = keyof typeof COURSES;

interface End {
  state: 'succeeded' | 'failed';
  code?: DeclineCode;
  reason?: string;
  cardGone?: boolean;
}
type Stage = End | { state: 'authenticate' } | { state: 'slow'; end: End };

const COURSES = {
  success: { state: 'succeeded' },
  declined: { state: 'failed', code: 'declined', reason: 'Your card was declined.' },
  'insufficient-funds': {
    state: 'failed',
    code: 'insufficient-funds',
    reason: 'Your card has insufficient funds.',
  },
  'lost-card': { state: 'failed', code: 'lost-card', reason: 'Your card was reported lost.', cardGone: true },
  'expired-card': { state: 'failed', code: 'expired-card', reason: 'Your card has expired.', cardGone: true },
  authentication: { state: 'authenticate' },
  approved: { state: 'succeeded' },
  refused: { state: 'failed', code: 'holder-refused', reason: 'The card holder refused the payment.' },
  abandoned: {
    state: 'failed',
    code: 'not-confirmed',
    reason: 'The card holder did not confirm the payment.',
  },
  'nobody-there': {
    state: 'failed',
    code: 'authentication-required',
    reason: 'Your bank asks you to confirm payments by this card yourself.',
  },
  'slow-success': { state: 'slow', end: { state: 'succeeded' } },
  'slow-failure': {
    state: 'slow',
    end: { state: 'failed', code: 'declined', reason: 'Your bank refused the payment.' },
  },
} satisfies Record<string, Stage>;

export const isCourse = (text: string | undefined): text is ChargeCourse =>
  text !== undefined && Object.hasOwn(COURSES, text);

export const courseOf = (kind: SandboxCardKind, onSession: boolean): ChargeCourse => {
  switch (kind) {
    case 'success-visa':
    case 'success-mastercard':
    case 'expires-soon':
      return 'success';
    case 'authentication':
      return onSession ? 'authentication' : 'nobody-there';
    default:
      return kind;
  }
};

const ended = (end: End, chargeRef: string): ChargeState =>
  end.state === 'succeeded'
    ? { state: 'succeeded', chargeRef }
    : {
        state: 'failed',
        chargeRef,
        code: end.code,
        reason: end.reason ?? '',
        cardGone: end.cardGone ?? false,
      };

/** The state of a charge of this course, `settled` once the time of a slow one is over. */
export const chargeState = (
  course: ChargeCourse,
  charge: { chargeRef: string; clientSecret: string; settled: boolean },
): ChargeState => {
  const stage: Stage = COURSES[course];
  if (stage.state === 'authenticate')
    return { state: 'authenticate', chargeRef: charge.chargeRef, clientSecret: charge.clientSecret };
  if (stage.state !== 'slow') return ended(stage, charge.chargeRef);
  return charge.settled
    ? ended(stage.end, charge.chargeRef)
    : { state: 'pending', chargeRef: charge.chargeRef };
};
