export { adminWalletRoutes } from './admin-routes.ts';
export type {
  CardProcessor,
  ChargeRequest,
  ChargeState,
  ConfirmedCard,
  DeclineCode,
  ProcessorEvent,
} from './card-processor.ts';
export { takesTestCards } from './card-processor.ts';
export { sandboxRoutes } from './cards/sandbox-routes.ts';
export { changeLimits } from './change-limits.ts';
export { closeWallet } from './close-wallet.ts';
export { cardReferences } from './erasure-store.ts';
export { adjust } from './ledger/adjust.ts';
export { captures, enqueueAfterCapture, NO_SPENDING_RULES } from './ledger/captures.ts';
export { ledgerLines } from './ledger/ledger-csv.ts';
export type { CaptureOutcome, SpendingRules } from './ledger/ledger-store.ts';
export { readLatestProof } from './ledger/proof-store.ts';
export { recapture } from './ledger/recapture.ts';
export { refund } from './ledger/refund.ts';
export { spend } from './ledger/spend.ts';
export { walletMails } from './mails/wallet-mails.ts';
export { makeDemoWallet } from './make-demo.ts';
export { listCardFacts, paymentsCsv } from './payments/payments-csv.ts';
export { type ItemMove, listChargedAgain, listItemMoves } from './payments/refund-store.ts';
export { countUnsettled } from './payments/unsettled-store.ts';
export { requireRealSender } from './require-real-sender.ts';
export { processorWebhooks, type WalletRouteDeps, walletFiles, walletRoutes } from './routes.ts';
export { listSuspended, openWallet, readSpent, readWallet, readWallets } from './store.ts';
export { suspend } from './suspend.ts';
export { walletTasks } from './tasks.ts';
export { paymentSettingView, paymentView } from './views.ts';
export type { BillingContact, SpendDeps, WalletDeps, WalletTaskDeps } from './wallet-deps.ts';
