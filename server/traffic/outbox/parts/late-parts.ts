import type { Db } from '../../../ground/postgres/index.ts';
import type { Publisher } from '../outbox-event.ts';
import type { Failed, SendResult } from '../results/result-store.ts';
import { mergeParts, verdictOf } from './message-parts.ts';
import { lockParted, nameParts, type PartsChange, writeParts } from './part-store.ts';
import { partEvents } from './tell-parts.ts';

/**
 * The results of messages in parts whose worker was taken for dead, and of which receipts have shown parts since: both
 * are put together. Returns those that failed by it, which are yet to be refunded.
 */
export const addLateParts = async (
  trx: Db,
  { late, publisher }: { late: SendResult[]; publisher: Pick<Publisher, 'publish'> },
): Promise<Failed[]> => {
  const said = new Map(late.map(({ message, parts }) => [message.id, parts ?? []]));
  const locked = (
    await lockParted(
      trx,
      late.map(({ message }) => message),
    )
  ).filter(({ status }) => status === 'PENDING' || status === 'FAILED_WITH_EXCEPTION');
  if (locked.length === 0) return [];
  const changes = locked.map(({ id, createdAt, parts: known }): PartsChange => {
    const parts = mergeParts(known, said.get(id) ?? []);
    const verdict = verdictOf(parts);
    return { id, createdAt, parts, standing: verdict.status === 'PENDING' ? undefined : verdict };
  });
  await writeParts(trx, changes);
  await nameParts(trx, locked);
  const byId = new Map(changes.map((change) => [change.id, change]));
  const events = locked.flatMap((message) => partEvents(message, byId.get(message.id) as PartsChange));
  if (events.length > 0) await publisher.publish(trx, events);
  return locked.filter(({ id }) => byId.get(id)?.standing?.status === 'FAILED');
};
