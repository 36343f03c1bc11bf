import { z } from 'zod';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { runAutoTopUp } from './auto-top-up/auto-top-up.ts';
import { AUTO_TOP_UP } from './auto-top-up/auto-top-up-request.ts';
import { FORGET_CARD, forgottenCard } from './cards/remove-card.ts';
import { endSandboxMoney } from './ledger/end-sandbox-money.ts';
import { proveBalances } from './ledger/prove-balances.ts';
import { walletMails } from './mails/wallet-mails.ts';
import { writeMail } from './mails/write-mail.ts';
import { pruneEvents } from './payments/event-store.ts';
import { reconcilePayments } from './payments/reconcile-payments.ts';
import type { WalletTaskDeps } from './wallet-deps.ts';

const topUpRequest = z.object({ accountId: z.custom<AccountId>((value) => typeof value === 'string') });

export const walletTasks = (deps: WalletTaskDeps): Tasks => ({
  [AUTO_TOP_UP]: {
    concurrency: 4,
    run: (data) => runAutoTopUp(deps, topUpRequest.parse(data).accountId),
  },
  ...walletMails.tasks(deps, (request) => writeMail(deps, request)),
  [FORGET_CARD]: {
    run: (data) => deps.processor.removeCard(forgottenCard.parse(data)),
    onGiveUp: async () => {
      deps.log.warn({}, 'the card provider still keeps a card that was removed here');
    },
  },
  'wallet.reconcile': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: (_, signal) => reconcilePayments(deps, signal),
  },
  'wallet.end-sandbox-money': {
    cron: '* * * * *',
    retryLimit: 0,
    run: () => endSandboxMoney(deps),
  },
  'wallet.prune-events': {
    cron: '23 3 * * *',
    run: () => pruneEvents(deps.db),
  },
  'wallet.prove-balances': {
    cron: '7 * * * *',
    run: () => proveBalances(deps),
  },
});
