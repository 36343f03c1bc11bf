export { adjust } from './adjust.ts';
export { adminWalletRoutes } from './admin-routes.ts';
export { beginCard } from './begin-card.ts';
export { captures, followCapture, ONLY_MONEY } from './captures.ts';
export type {
  CardProcessor,
  ChargeRequest,
  ChargeState,
  ConfirmedCard,
  DeclineCode,
  ProcessorEvent,
} from './card-processor.ts';
export { takesTestCards } from './card-processor.ts';
export { changeLimits } from './change-limits.ts';
export { chargeCard } from './charge-card.ts';
export { closeWallet } from './close-wallet.ts';
export { type Comparison, comparePayment } from './compare-payment.ts';
export { endSandboxMoney } from './end-sandbox-money.ts';
export { cardReferences } from './forget-store.ts';
export { keepCard } from './keep-card.ts';
export { ledgerLines } from './ledger-csv.ts';
export type { CaptureOutcome, SpendingRules } from './ledger-store.ts';
export { requestMail } from './mail-request.ts';
export { makeDemoWallet } from './make-demo.ts';
export {
  findBalanceAt,
  findFirstMovement,
  findMovedSpans,
  listPaidBatches,
  type Refunded,
  sumMovements,
  sumRefunds,
} from './month-store.ts';
export { type PaymentRow, readPayment, searchPayments } from './payment-store.ts';
export { tellPayment } from './payment-story.ts';
export { listCardFacts, paymentsCsv } from './payments-csv.ts';
export { compareBalances, readLatestProof } from './proof-store.ts';
export { recapture } from './recapture.ts';
export { receiveProcessorEvent } from './receive-processor-event.ts';
export { reconcilePayments } from './reconcile-payments.ts';
export { refund } from './refund.ts';
export { leftMinor, refundPayment } from './refund-payment.ts';
export { type ItemMove, listChargedAgain, listItemMoves } from './refund-store.ts';
export { requireRealSender } from './require-real-sender.ts';
export { processorWebhooks, type WalletRouteDeps, walletFiles, walletRoutes } from './routes.ts';
export { sandboxRoutes } from './sandbox-routes.ts';
export { spend } from './spend.ts';
export { listSuspended, openWallet, readSpent, readWallet, readWallets } from './store.ts';
export { suspend } from './suspend.ts';
export { walletTasks } from './tasks.ts';
export { acceptAmount } from './top-up-terms.ts';
export { countUnsettled } from './unsettled-store.ts';
export { paymentSettingView, paymentView } from './views.ts';
export type { Contact, SpendDeps, WalletDeps, WalletTaskDeps } from './wallet-deps.ts';
