import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { CardId, PaymentId } from '../contract/customer/wallet.ts';
import { findContact } from '../server/customer/accounts/index.ts';
import {
  adjust,
  type CardProcessor,
  type ChargeRequest,
  type ChargeState,
  type DeclineCode,
  type ProcessorEvent,
  readWallet,
  type WalletDeps,
  type WalletTaskDeps,
  walletTasks,
} from '../server/customer/wallet/index.ts';
import { beginCard, compareBalances, keepCard } from '../server/customer/wallet/testing/index.ts';
import type { Mail, MailOutcome } from '../server/ground/mail/index.ts';
import { openThreadPool, type ThreadPool } from '../server/ground/worker-threads/index.ts';
import { paidBatches } from '../server/traffic/outbox/index.ts';
import { openTestAccounts } from './accounts.ts';

export type Behaviour =
  | 'good'
  | 'declines'
  | 'gone'
  | 'authenticates'
  | 'settles-slowly'
  /** Charged, but the reply is lost. */
  | 'loses-reply'
  /** Never reaches the provider. */
  | 'unreachable';

interface Charge {
  request: ChargeRequest;
  state: ChargeState;
  /** By the id of the refund. */
  refunds: Map<string, bigint>;
}

/** What becomes of a refund that is asked for. */
export type RefundBehaviour = 'made' | 'refused' | 'loses-reply' | 'unreachable';

/** A card provider in memory that counts what it took. The card's reference says how it behaves. */
const openTestProvider = () => {
  const charges = new Map<string, Charge>();
  const removed: string[] = [];
  const behaviourOf = (methodRef: string) => methodRef.split('_')[1] as Behaviour;
  const refOf = (paymentId: string) => `ch_${paymentId}`;

  const refunding: { behaviour: RefundBehaviour } = { behaviour: 'made' };
  const chargeOf = (chargeRef: string): Charge => {
    const charge = charges.get(chargeRef.slice('ch_'.length));
    if (!charge) throw new Error('there is no such charge');
    return charge;
  };
  const sumOf = ({ refunds }: Charge): bigint => refunds.values().reduce((sum, minor) => sum + minor, 0n);

  const begin = ({ paymentId, methodRef, onSession }: ChargeRequest): ChargeState => {
    const chargeRef = refOf(paymentId);
    const failed = {
      state: 'failed' as const,
      chargeRef,
      code: 'declined' as DeclineCode,
      reason: 'Your card was declined.',
      cardGone: false,
    };
    switch (behaviourOf(methodRef)) {
      case 'declines':
        return failed;
      case 'gone':
        return { ...failed, code: 'expired-card', reason: 'Your card has expired.', cardGone: true };
      case 'authenticates':
        return onSession
          ? { state: 'authenticate', chargeRef, clientSecret: `secret_${paymentId}` }
          : {
              ...failed,
              code: 'authentication-required',
              reason: 'Your bank asks you to confirm payments by this card yourself.',
            };
      case 'settles-slowly':
        return { state: 'pending', chargeRef };
      default:
        return { state: 'succeeded', chargeRef };
    }
  };

  const processor: CardProcessor = {
    name: 'stripe',
    publishableKey: 'pk_test',
    chargeTimeoutMs: 10_000,
    sandboxForm: undefined,
    beginCard: async ({ accountId }) => ({
      clientSecret: `form_${randomUUID()}`,
      customerRef: `cus_${accountId}`,
    }),
    confirmCard: async (auth, customerRef) =>
      auth.startsWith('card_')
        ? { customerRef, methodRef: auth, last4: '4242', brand: 'visa', expMonth: 12, expYear: 2040 }
        : undefined,
    removeCard: async ({ methodRef }) => {
      removed.push(methodRef);
    },
    charge: async (request) => {
      const behaviour = behaviourOf(request.methodRef);
      if (behaviour === 'unreachable') throw new Error('the network is away');
      const known = charges.get(request.paymentId);
      if (known) return known.state;
      const state = begin(request);
      charges.set(request.paymentId, { request, state, refunds: new Map() });
      return behaviour === 'loses-reply' ? { state: 'unknown', reason: 'the reply was lost' } : state;
    },
    findCharge: async ({ paymentId }) => charges.get(paymentId)?.state,
    abandonCharge: async ({ paymentId, chargeRef }) => {
      const charge = charges.get(paymentId);
      if (charge?.state.state === 'authenticate')
        charge.state = { state: 'failed', chargeRef, reason: 'Cancelled.', cardGone: false };
      return charge?.state ?? { state: 'unknown', reason: '' };
    },
    refund: async ({ refundId, chargeRef, amountMinor }) => {
      if (refunding.behaviour === 'unreachable') return { state: 'unknown', reason: 'the network is away' };
      if (refunding.behaviour === 'refused') return { state: 'refused', reason: 'The card is closed.' };
      const charge = chargeOf(chargeRef);
      charge.refunds.set(refundId, amountMinor);
      return refunding.behaviour === 'loses-reply'
        ? { state: 'unknown', reason: 'the reply was lost' }
        : { state: 'done', refundedMinor: sumOf(charge) };
    },
    findRefunded: async (chargeRef) => sumOf(chargeOf(chargeRef)),
    readEvent: (rawBody, headers) =>
      headers.signature === 'right'
        ? JSON.parse(rawBody.toString(), (key, value) => (key.endsWith('Minor') ? BigInt(value) : value))
        : undefined,
  };

  return {
    processor,
    charges,
    removed,
    refOf,
    refunding,
    settle: (paymentId: PaymentId, state: 'succeeded' | 'failed') => {
      const charge = charges.get(paymentId);
      if (!charge) throw new Error('there is no such charge');
      const chargeRef = refOf(paymentId);
      charge.state =
        state === 'succeeded'
          ? { state, chargeRef }
          : { state, chargeRef, reason: 'Your bank refused the payment.', cardGone: false };
      return charge.state;
    },
    /** How many charges took money. */
    taken: () => [...charges.values()].filter(({ state }) => state.state === 'succeeded').length,
  };
};

export const webhookOf = (event: ProcessorEvent): [Buffer, Record<string, string>] => [
  Buffer.from(JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  { signature: 'right' },
];

/** The wallet room on a real database; jobs run when `work` is called. */
export const openTestWallet = async () => {
  const room = await openTestAccounts();
  const provider = openTestProvider();
  const jobs: { name: string; data: object }[] = [];
  const sent: Mail[] = [];
  const alarms: object[] = [];
  const warnings: { facts: object; message: string }[] = [];
  const workshop = openThreadPool();
  const deps: WalletDeps & { workshop: ThreadPool } = {
    db: room.db,
    workshop,
    queue: {
      send: async (name, data) => {
        jobs.push({ name, data });
      },
    },
    processor: provider.processor,
    hkdPerUsd: '7.8',
    contactOf: (accountId) => findContact(room.db, accountId),
    log: {
      warn: (facts, message) => warnings.push({ facts, message }),
      error: (facts) => alarms.push(facts),
    },
  };
  const taskDeps: WalletTaskDeps = {
    ...deps,
    mailer: {
      send: async (mail): Promise<MailOutcome> => {
        sent.push(mail);
        return { outcome: 'accepted' };
      },
      close: async () => {},
    },
    publicUrl: () => 'https://posthorn.example',
    paid: paidBatches,
  };
  const tasks = walletTasks(taskDeps);

  /** Runs the waiting jobs, and those that they enqueue, concurrently; returns the mails, newest last. */
  const work = async (): Promise<Mail[]> => {
    const before = sent.length;
    while (jobs.length > 0)
      await Promise.all(
        jobs.splice(0).map(({ name, data }) => tasks[name]?.run(data, new AbortController().signal)),
      );
    return sent.slice(before);
  };
  const runTask = (name: string) => tasks[name]?.run({}, new AbortController().signal);

  const addCard = async (accountId: AccountId, behaviour: Behaviour = 'good'): Promise<CardId> => {
    await beginCard(deps, accountId);
    const auth = `card_${behaviour}_${randomBytes(6).toString('hex')}`;
    return (await keepCard(deps, accountId, auth)).id;
  };

  /** An account with this many dollars. */
  const addMoney = async (accountId: AccountId, dollars: number): Promise<void> => {
    const reason = 'test money';
    await adjust(deps, { accountId, amount: dollars, reason, by: accountId, idempotencyKey: undefined });
  };
  const funded = async (dollars = 0): Promise<AccountId> => {
    const { accountId } = await room.activeAccount();
    if (dollars > 0) await addMoney(accountId, dollars);
    return accountId;
  };

  const balance = async (accountId: AccountId) => (await readWallet(room.db, accountId)).balanceMicros;
  /** Wallets that differ from their postings; there must never be one. */
  const differing = async () => (await compareBalances(room.db)).differing;

  return {
    ...room,
    accounts: room.deps,
    deps,
    taskDeps,
    provider,
    jobs,
    sent,
    alarms,
    warnings,
    work,
    runTask,
    addCard,
    addMoney,
    funded,
    balance,
    differing,
  };
};
