import { randomBytes } from 'node:crypto';
import type { SandboxCard } from '../../../contract/customer/sandbox-cards.ts';
import type { CardProcessor, SandboxForm } from '../../customer/wallet/card-processor.ts';
import { readCardForm } from './card-form.ts';
import type { Seal } from './seal.ts';

interface Options {
  seal: Seal;
  cards: readonly SandboxCard[];
  now: () => Date;
}

/** A form that stayed open longer has to be opened again. */
const FORM_LIFETIME_MS = 24 * 3600 * 1000;

const confirmForm =
  ({ seal, cards, now }: Options): SandboxForm['confirm'] =>
  ({ clientSecret, ...form }) => {
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
  };

/** Customers of the sandbox and their cards; `confirm` and `openMethod` are for the form and for charges. */
export const sandboxCustomers = (options: Options) => {
  const { seal, cards, now } = options;
  const customerOf = (accountId: string): string => seal.sign('customer', [accountId]);

  const openMethod = ({ methodRef, customerRef }: { methodRef: string; customerRef: string }) => {
    const [accountId = '', , kind, expMonth, expYear] = seal.open('card', methodRef) ?? [];
    const card = cards.find((one) => one.kind === kind);
    if (!card || customerOf(accountId) !== customerRef) return undefined;
    return { ...card, expMonth: Number(expMonth), expYear: Number(expYear) };
  };

  const processor: Pick<CardProcessor, 'beginCard' | 'confirmCard' | 'removeCard'> = {
    beginCard: async ({ accountId }) => ({
      clientSecret: seal.sign('form', [accountId, randomBytes(8).toString('hex'), `${now().getTime()}`]),
      customerRef: customerOf(accountId),
    }),
    confirmCard: async (auth, customerRef) => {
      const fields = seal.open('auth', auth);
      if (!fields) return undefined;
      // The same form with the same card is the same card, however often it is confirmed.
      const methodRef = seal.sign('card', fields);
      const method = openMethod({ methodRef, customerRef });
      if (!method) return undefined;
      const { number, brand, expMonth, expYear } = method;
      return { customerRef, methodRef, last4: number.slice(-4), brand, expMonth, expYear };
    },
    // There is nothing to forget.
    removeCard: async () => {},
  };
  return { openMethod, confirm: confirmForm(options), processor };
};

export type OpenMethod = ReturnType<typeof sandboxCustomers>['openMethod'];
