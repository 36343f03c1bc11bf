import { compose, type Letter } from '../../../ground/mail/index.ts';
import { readPayment } from '../payments/payment-store.ts';
import { readWallet } from '../store.ts';
import type { Contact, WalletTaskDeps } from '../wallet-deps.ts';
import type { MailRequest } from './mail-request.ts';
import {
  autoDeclinedLetter,
  autoStoppedLetter,
  dailyCapLetter,
  limitLetter,
  lowBalanceLetter,
  receiptLetter,
} from './mail-texts.ts';
import { noteMail } from './payment-mail-store.ts';

const write = async (
  { db, publicUrl }: WalletTaskDeps,
  request: MailRequest,
  { language, timeZone }: Contact,
): Promise<Letter | undefined> => {
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

export const sendMail = async (deps: WalletTaskDeps, request: MailRequest): Promise<void> => {
  const { accountId, kind, mailId } = request;
  const contact = await deps.contactOf(accountId);
  if (!contact?.receiveEmail) return;
  const letter = await write(deps, request, contact);
  if (!letter) return;
  const result = await deps.mailer.send({
    ...compose(letter),
    to: contact.email,
    language: contact.language,
    messageId: `${mailId}@${new URL(deps.publicUrl()).hostname}`,
  });
  if (result.outcome !== 'refused' && 'paymentId' in request) await noteMail(deps.db, request);
  if (result.outcome === 'refused') deps.log.warn({ accountId, kind, reason: result.reason }, 'mail refused');
};
