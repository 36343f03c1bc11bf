import type { SandboxCard } from '../../../contract/customer/sandbox-cards.ts';
import type { CardProcessor } from '../../customer/wallet/card-processor.ts';
import { sandboxCharges } from './charges.ts';
import { sandboxCustomers } from './customers.ts';
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
  const { openMethod, confirm, processor: customers } = sandboxCustomers({ seal, cards, now });
  const { authenticate, processor: charges } = sandboxCharges({ seal, settleMs, now, openMethod });
  return {
    name: 'sandbox',
    publishableKey: '',
    chargeTimeoutMs: CHARGE_TIMEOUT_MS,
    sandboxForm: { confirm, authenticate },
    ...customers,
    ...charges,
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
