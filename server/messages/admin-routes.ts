import type { MessageId } from '../../contract/messages.ts';
import { transferMessages } from '../outbox/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { readSearch } from './read-search.ts';
import type { SearchDeps } from './search.ts';
import { walkMessages } from './walk-messages.ts';

/** How long a call goes on; a caller repeats it for the rest. */
const CALL_MS = 20_000;
const MOST_REASONS = 100;

export const adminTransferRoutes = ({ db, limitMs }: SearchDeps): CallerRoutes => ({
  'POST /admin/messages/transfer': async ({ caller, body: { ids, search, laneId } }) => {
    const end = Date.now() + CALL_MS;
    const reply = { moved: 0, refused: 0, reasons: [] as { _id: MessageId; reason: string }[], done: true };
    const transfer = async (some: MessageId[]): Promise<void> => {
      const { moved, refused } = await transferMessages(db, { ids: some, to: laneId });
      reply.moved += moved;
      reply.refused += refused.length;
      const room = MOST_REASONS - reply.reasons.length;
      reply.reasons.push(...refused.slice(0, room).map(({ id, reason }) => ({ _id: id, reason })));
    };
    if (ids) await transfer(ids);
    if (!search) return reply;
    const wanted = await readSearch(db, caller, {
      ...search,
      limit: 1,
      skip: 0,
      sort: 'createdAt',
      status: 'PENDING',
      type: 'outgoing',
    });
    for await (const page of walkMessages(db, { search: wanted.search, limitMs }, ({ id }) => `${id}\n`)) {
      if (Date.now() > end) return { ...reply, done: false };
      await transfer(page.trimEnd().split('\n') as MessageId[]);
    }
    return reply;
  },
});
