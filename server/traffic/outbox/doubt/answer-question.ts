import { indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import type { CarrierAnswer } from '../../lanes/index.ts';
import type { OutboxDeps } from '../outbox-deps.ts';
import { type CarrierQuestion, storeAnswer } from './question-store.ts';
import { resolveWithin } from './resolve.ts';
import { lockResolvable } from './resolve-store.ts';

/** Messages in doubt were not refunded, so resolving them charges nothing. */
const NO_QUEUE = {
  send: async () => {
    throw new Error('an answer about a message in doubt moved money that causes more');
  },
};

/**
 * Keeps what a carrier said about a message in doubt; what settles it settles it, as the decision of the admin who
 * asked. One that was settled meanwhile stays as it is.
 */
export const answerQuestion = (
  { db, publisher }: Pick<OutboxDeps, 'db' | 'publisher'>,
  { id, by }: Pick<CarrierQuestion, 'id' | 'by'>,
  answer: CarrierAnswer,
): Promise<void> =>
  indexOnlyTransaction(db, async (trx) => {
    await storeAnswer(trx, id, answer);
    if (answer.state !== 'taken' && answer.state !== 'failed') return;
    const [message] = await lockResolvable(trx, [id]);
    if (!message?.unknown || (message.status !== 'PENDING' && message.status !== 'FAILED_WITH_EXCEPTION'))
      return;
    const failed = answer.state === 'failed';
    await resolveWithin(
      { db: trx, queue: NO_QUEUE, publish: publisher.publish },
      {
        ids: [id],
        to: failed ? 'FAILED' : 'SUCCESS',
        by,
        saidByCarrier: true,
        reason: failed ? answer.said : '',
        code: failed ? answer.code : '',
      },
    );
  });
