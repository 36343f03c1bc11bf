import type { AccountId } from '../../../contract/customer/accounts.ts';
import { SANDBOX_CARDS, type SandboxCardKind } from '../../../contract/customer/sandbox-cards.ts';
import type { SandboxForm } from './card-processor.ts';
import { beginCard } from './cards/begin-card.ts';
import { listCards } from './cards/card-store.ts';
import { keepCard } from './cards/keep-card.ts';
import { chargeCard } from './payments/charge-card.ts';
import type { WalletDeps } from './wallet-deps.ts';

const CARDS: { kind: SandboxCardKind; amounts: string[] }[] = [
  { kind: 'success-visa', amounts: ['50', '25.50'] },
  { kind: 'insufficient-funds', amounts: ['20'] },
];

const addCard = async (deps: WalletDeps, form: SandboxForm, accountId: AccountId, kind: SandboxCardKind) => {
  const number = SANDBOX_CARDS.find((card) => card.kind === kind)?.number ?? '';
  const known = await listCards(deps.db, { accountId, processor: deps.processor.name });
  const same = known.find(({ last4 }) => number.endsWith(last4));
  if (same) return same;
  const clientSecret = await beginCard(deps, accountId);
  const expYear = new Date().getUTCFullYear() + 4;
  const confirmed = form.confirm({ clientSecret, number, expMonth: 12, expYear, cvc: '123' });
  if (confirmed.outcome === 'refused')
    throw new Error(`the sandbox refused its own card: ${confirmed.fault}`);
  return keepCard(deps, accountId, confirmed.auth);
};

/** Cards and payments to look at, created by the same verbs as a customer's; running it again creates nothing new. */
export const makeDemoWallet = async (deps: WalletDeps, accountId: AccountId): Promise<void> => {
  const form = deps.processor.sandboxForm;
  if (!form) return;
  for (const { kind, amounts } of CARDS) {
    const { id: cardId } = await addCard(deps, form, accountId, kind);
    for (const amount of amounts)
      await chargeCard(deps, { accountId, cardId, amount, idempotencyKey: `demo-${kind}-${amount}` });
  }
};
