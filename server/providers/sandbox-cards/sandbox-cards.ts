import { randomBytes } from 'node:crypto';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { SandboxCard } from '../../../contract/customer/sandbox-cards.ts';
import type { PaymentId } from '../../../contract/customer/wallet.ts';
import type {
  CardProcessor,
  ChargeRequest,
  ChargeState,
  SandboxForm,
} from '../../customer/wallet/card-processor.ts';
import { isExpired, readCardForm } from './card-form.ts';
import { type Course, courseOf, isCourse, stateOf } from './charge-course.ts';
import { openSeal } from './seal.ts';

interface SandboxOptions {
  /** Signs the references: the same for every process and after a restart. */
  key: Buffer;
  /** SANDBOX_CARDS of contract/. */
  cards: readonly SandboxCard[];
  /** How long a slow settlement takes. */
  settleMs?: number;
  now?: () => Date;
}

/** A form that stayed open longer has to be opened again. */
const FORM_LIFETIME_MS = 24 * 3600 * 1000;
/** A charge takes no time; storing its answer takes some. */
const CHARGE_TIMEOUT_MS = 10_000;

/**
 * Cards without a provider, for trying out the product: only test numbers, no money. It stores nothing; every signed
 * reference contains what is needed later. A charge consists of its reference alone, so a charge whose reference was
 * never stored was never made.
 */
export const sandboxCards = ({
  key,
  cards,
  settleMs = 20_000,
  now = () => new Date(),
}: SandboxOptions): CardProcessor => {
  const seal = openSeal(key);
  const customerOf = (accountId: string): string => seal.sign('customer', [accountId]);
  const secretOf = (paymentId: string): string => seal.sign('payment', [paymentId]);

  const openMethod = (methodRef: string, customerRef: string) => {
    const [accountId = '', , kind, expMonth, expYear] = seal.open('card', methodRef) ?? [];
    const card = cards.find((one) => one.kind === kind);
    if (!card || customerOf(accountId) !== customerRef) return undefined;
    return { ...card, expMonth: Number(expMonth), expYear: Number(expYear) };
  };

  const chargeOf = (paymentId: PaymentId, course: Course, settled = false): ChargeState =>
    stateOf(course, {
      chargeRef: seal.sign('charge', [paymentId, course]),
      clientSecret: secretOf(paymentId),
      settled,
    });

  const openCharge = (chargeRef: string | undefined, paymentId: PaymentId): Course | undefined => {
    const [owner, course] = seal.open('charge', chargeRef ?? '') ?? [];
    return owner === paymentId && isCourse(course) ? course : undefined;
  };

  const charge = ({ paymentId, customerRef, methodRef, onSession }: ChargeRequest): ChargeState => {
    const method = openMethod(methodRef, customerRef);
    if (!method)
      return {
        state: 'failed',
        chargeRef: undefined,
        code: 'card-unknown',
        reason: 'The card is no longer known to the payment provider.',
        cardGone: true,
      };
    return chargeOf(paymentId, isExpired(method, now()) ? 'expired-card' : courseOf(method.kind, onSession));
  };

  const sandboxForm: SandboxForm = {
    confirm: ({ clientSecret, ...form }) => {
      const [accountId, formId, openedAt] = seal.open('form', clientSecret) ?? [];
      if (
        accountId === undefined ||
        formId === undefined ||
        now().getTime() > Number(openedAt) + FORM_LIFETIME_MS
      )
        return { outcome: 'refused', fault: 'secret' };
      const card = readCardForm(form, cards, now());
      if (typeof card === 'string') return { outcome: 'refused', fault: card };
      const soon = card.kind === 'expires-soon';
      const expMonth = soon ? now().getUTCMonth() + 1 : form.expMonth;
      const expYear = soon ? now().getUTCFullYear() : form.expYear;
      return {
        outcome: 'confirmed',
        auth: seal.sign('auth', [accountId, formId, card.kind, `${expMonth}`, `${expYear}`]),
      };
    },
    authenticate: ({ clientSecret, approve }) => {
      const [paymentId] = (seal.open('payment', clientSecret) ?? []) as PaymentId[];
      return paymentId && { paymentId, charge: chargeOf(paymentId, approve ? 'approved' : 'refused') };
    },
  };

  return {
    name: 'sandbox',
    publishableKey: '',
    chargeTimeoutMs: CHARGE_TIMEOUT_MS,
    sandboxForm,
    beginCard: async ({ accountId }: { accountId: AccountId }) => ({
      clientSecret: seal.sign('form', [accountId, randomBytes(8).toString('hex'), `${now().getTime()}`]),
      customerRef: customerOf(accountId),
    }),
    confirmCard: async (auth, customerRef) => {
      const fields = seal.open('auth', auth);
      if (!fields) return undefined;
      // The same form with the same card is the same card, however often it is confirmed.
      const methodRef = seal.sign('card', fields);
      const method = openMethod(methodRef, customerRef);
      return (
        method && {
          customerRef,
          methodRef,
          last4: method.number.slice(-4),
          brand: method.brand,
          expMonth: method.expMonth,
          expYear: method.expYear,
        }
      );
    },
    // There is nothing to forget.
    removeCard: async () => {},
    charge: async (request) => charge(request),
    findCharge: async ({ paymentId, chargeRef, createdAt }) => {
      const course = openCharge(chargeRef, paymentId);
      return course && chargeOf(paymentId, course, now().getTime() >= createdAt.getTime() + settleMs);
    },
    abandonCharge: async ({ paymentId, chargeRef }) => {
      const course = openCharge(chargeRef, paymentId);
      if (course === undefined) throw new Error(`payment ${paymentId} has another charge`);
      return chargeOf(paymentId, course === 'authentication' ? 'abandoned' : course);
    },
    refund: async ({ amountMinor, refundedMinor }) => ({
      state: 'done',
      refundedMinor: refundedMinor + amountMinor,
    }),
    // Nothing is remembered of refunds.
    findRefunded: async () => undefined,
    // Nobody sends events.
    readEvent: () => undefined,
  };
};
