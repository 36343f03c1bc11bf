import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { ThreadPool } from '../../../ground/worker-threads/index.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import type { ReceiptFacts } from './draw-receipt.ts';
import { readOwnPayment } from './refresh-payment.ts';

const DRAW = new URL('./draw-receipt.ts', import.meta.url);

/** A receipt for a paid top-up; other payments have none. */
export const receiptPdf = async (
  deps: Pick<WalletDeps, 'db' | 'contactOf'> & { workshop: ThreadPool },
  { accountId, paymentId, language }: { accountId: AccountId; paymentId: PaymentId; language: Language },
): Promise<Buffer> => {
  const payment = await readOwnPayment(deps, accountId, paymentId);
  const isTopUp = payment.type === 'TOP_UP' || payment.type === 'AUTO_TOP_UP';
  if (!isTopUp || payment.status !== 'SUCCESS') throw new DomainError('E_RECEIPT_UNAVAILABLE');
  const contact = await deps.contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  const facts: ReceiptFacts = { language, payment, contact };
  const pdf = await deps.workshop.run<Uint8Array>(DRAW, { input: facts, key: accountId });
  return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
};
