import type { MailContent, WrittenMail } from '../../../ground/mail/index.ts';
import { readPayment } from '../payments/payment-store.ts';
import { readWallet } from '../store.ts';
import type { BillingContact, WalletTaskDeps } from '../wallet-deps.ts';
import {
  autoDeclinedLetter,
  autoStoppedLetter,
  dailyCapLetter,
  limitLetter,
  lowBalanceLetter,
  receiptLetter,
} from './mail-texts.ts';
import { noteMail } from './payment-mail-store.ts';
import type { WalletMail } from './wallet-mails.ts';

const writeLetterOf = async (
  { db, publicUrl }: WalletTaskDeps,
  request: WalletMail,
  { language, timeZone }: BillingContact,
): Promise<MailContent | undefined> => {
  const facts = { language, timeZone, publicUrl: publicUrl() };
  const wallet = await readWallet(db, request.accountId);
  switch (request.kind) {
    case 'low-balance':
      // With automatic top-up on, its receipt or its failure is reported instead.
      return wallet.autoCharge ? undefined : lowBalanceLetter(facts, wallet);
    case 'daily-cap':
      return dailyCapLetter(facts, wallet);
    case 'day-limit':
    case 'new-countries':
      return limitLetter(facts, request);
  }
  const payment = await readPayment(db, request.paymentId);
  if (!payment) return undefined;
  switch (request.kind) {
    case 'receipt':
      return receiptLetter(facts, payment, wallet);
    case 'auto-declined':
      return autoDeclinedLetter(facts, payment);
    case 'auto-stopped':
      return autoStoppedLetter(facts, payment);
  }
};

/** Undefined as well if the owner wants no mails. */
export const writeMail = async (
  deps: WalletTaskDeps,
  request: WalletMail,
): Promise<WrittenMail | undefined> => {
  const contact = await deps.contactOf(request.accountId);
  if (!contact?.receiveEmail) return undefined;
  const letter = await writeLetterOf(deps, request, contact);
  if (!letter) return undefined;
  const onSent = async () => {
    if ('paymentId' in request) await noteMail(deps.db, request);
  };
  return { to: contact.email, letter, onSent };
};
