import { createHash } from 'node:crypto';
import type { ModemEvents } from '../modems/modem.ts';
import type { openGateway } from './gateway-api.ts';

type Gateway = Pick<ReturnType<typeof openGateway>, 'inbox' | 'pageSize'>;

/** A phone that was away tells what came in meanwhile. */
export const INBOX_MS = 2 * 24 * 60 * 60_000;

export const readInbox = async (
  gateway: Gateway,
  { sim, since, events }: { sim: number | undefined; since: Date; events: ModemEvents | undefined },
): Promise<void> => {
  const from = new Date(Math.max(since.getTime(), Date.now() - INBOX_MS));
  for (let offset = 0; ; offset += gateway.pageSize) {
    const page = await gateway.inbox(from, offset);
    for (const { id, sender, simNumber, contentPreview, createdAt } of page) {
      const sentAt = new Date(createdAt);
      const at = Number.isNaN(sentAt.getTime()) ? new Date() : sentAt;
      if (at < since || (sim !== undefined && simNumber != null && simNumber !== sim)) continue;
      // The app makes the id of the text, so that it alone does not tell two messages apart.
      const key = createHash('sha256').update([id, sender, createdAt].join('\n')).digest('hex').slice(0, 32);
      events?.arrived({ key, from: sender, text: contentPreview, at, concatenation: undefined });
    }
    if (page.length < gateway.pageSize) return;
  }
};
