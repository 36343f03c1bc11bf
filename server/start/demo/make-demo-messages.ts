import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import type { BatchId, MessageId, MessageStatus } from '../../../contract/traffic/messages.ts';
import { readWallet, refund, spend } from '../../customer/wallet/index.ts';
import { localTime, momentOf } from '../../ground/local-time/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { findPhoneLanes } from '../../traffic/lanes/index.ts';
import { copyPastTexts } from '../../traffic/messages/index.ts';
import { hasMessages, idAt, insertPast, type PastMessage } from '../../traffic/outbox/index.ts';
import { prepare, readTerms, type SendingDeps, type Terms } from '../../traffic/sending/index.ts';
import { type DemoBatch, demoBatches } from './texts.ts';

const DAY_MS = 86_400_000;

/** A few did not arrive, so that there is something to look for. */
const fateOf = (n: number): { status: MessageStatus; errorCode: string } => {
  if (n % 23 === 4) return { status: 'FAILED', errorCode: 'SIM_FAILED' };
  if (n % 31 === 9) return { status: 'FAILED', errorCode: 'SIM_REFUSED' };
  if (n === 41) return { status: 'CANCELLED', errorCode: 'E_CANCELLED' };
  return n === 77
    ? { status: 'FAILED_WITH_EXCEPTION', errorCode: 'E_UNKNOWN_OUTCOME' }
    : { status: 'SUCCESS', errorCode: '' };
};

const momentFor = ({ daysAgo, minute }: DemoBatch, now: Date): Date => {
  const day = localTime(new Date(now.getTime() - daysAgo * DAY_MS), DEFAULT_TIME_ZONE).slice(0, 10);
  const midnight = momentOf(`${day}T00:00:00`, DEFAULT_TIME_ZONE) ?? now;
  return new Date(midnight.getTime() + minute * 60_000);
};

/** By which phone of the demo a day's messages went; email goes as new ones do. */
const pastLane = async (trx: Db, { channel, daysAgo }: DemoBatch, otherwise: number): Promise<number> => {
  const phones = await findPhoneLanes(trx, channel);
  return phones[daysAgo % phones.length] ?? otherwise;
};

const monthOf = (moment: Date): string => localTime(moment, DEFAULT_TIME_ZONE).slice(0, 7);

interface Made {
  batchId: BatchId;
  at: Date;
  terms: Terms;
  messages: PastMessage[];
}

/**
 * The ledger can't be written for past days, so messages of an earlier month cost nothing, as if sent with the test
 * secret: a month's bill and its ledger agree.
 */
const make = (batch: DemoBatch, at: Date, known: Terms, now: Date, counted: number): Made => {
  const terms = { ...known, free: known.free || monthOf(at) !== monthOf(now) };
  const sentAt = new Date(Math.min(at.getTime() + batch.tookSeconds * 1_000, now.getTime()));
  return {
    batchId: idAt(at) as BatchId,
    at,
    terms,
    messages: batch.messages.map((wanted, n) => {
      const prepared = prepare(terms, wanted);
      return {
        ...prepared,
        ...fateOf(counted + n),
        carrier: terms.carrierOf(prepared.recipient) || null,
        id: idAt(new Date(at.getTime() + n)) as MessageId,
        sentAt,
      };
    }),
  };
};

const pay = async (trx: Db, queue: SendingDeps['queue'], accountId: AccountId, made: Made) => {
  const { terms, messages } = made;
  const amountMicros = messages.reduce((sum, { priceMicros }) => sum + priceMicros, 0n);
  if (amountMicros === 0n) return { amountMicros, captureId: null };
  const { channel } = terms;
  const { entryId } = await spend(
    { db: trx, queue },
    {
      accountId,
      amountMicros,
      cause: `batch:${made.batchId}`,
      details: { channel, messages: messages.length },
      simulated: true,
    },
  );
  const failed = messages.filter(({ status }) => status === 'FAILED' || status === 'CANCELLED');
  if (failed.length > 0)
    await refund(trx, [
      {
        accountId,
        captureId: entryId,
        items: failed.map(({ id, priceMicros }) => ({ item: `message:${id}`, amountMicros: priceMicros })),
        details: { channel, messages: failed.length },
      },
    ]);
  return { amountMicros, captureId: entryId };
};

/** A week of messages to look at, as if the simulators had sent them; running it again creates nothing new. */
export const makeDemoMessages = async (
  deps: SendingDeps,
  accountId: AccountId,
  now = new Date(),
): Promise<void> => {
  const chooser = await deps.routing();
  if (CHANNELS.some((channel) => !chooser.offer({ channel, test: true }).available)) return;
  const terms = new Map<string, Terms>();
  for (const channel of CHANNELS)
    terms.set(channel, await readTerms(deps, { accountId, channel, test: true }));
  await deps.db.transaction().execute(async (trx) => {
    if (await hasMessages(trx, accountId)) return;
    // With real cards there is no demo money: then they cost nothing.
    const free = (await readWallet(trx, accountId)).balanceMicros === 0n;
    let counted = 0;
    for (const batch of demoBatches()) {
      const at = momentFor(batch, now);
      const known = terms.get(batch.channel);
      // Nothing is created for later today.
      if (at >= now || !known) continue;
      const made = make(batch, at, { ...known, free }, now, counted);
      counted += made.messages.length;
      const paid = await pay(trx, deps.queue, accountId, made);
      const { channel } = batch;
      const country = made.messages[0]?.country ?? '';
      const { lane } = chooser.peek({ accountId, channel, country, test: true });
      const laneId = await pastLane(trx, batch, lane.id);
      const last = await insertPast(trx, {
        ...made,
        ...paid,
        accountId,
        channel,
        laneId,
        fileName: `${channel}-${at.toISOString().slice(0, 10)}.csv`,
      });
      await copyPastTexts(trx, { accountId, from: at, to: last });
    }
  });
};
