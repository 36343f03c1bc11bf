import type { Queue } from '../queue/index.ts';

interface Told {
  content?: { media?: unknown } | undefined;
}

/** Wakes the fetching worker as soon as a message with media is stored; otherwise it would wait for the next minute. */
export const wakingFetch =
  <Inbound extends Told>(
    store: (laneName: string, inbound: Inbound[]) => Promise<void>,
    queue: Pick<Queue, 'send'>,
  ) =>
  async (laneName: string, inbound: Inbound[]): Promise<void> => {
    await store(laneName, inbound);
    if (inbound.some(({ content }) => content?.media)) await queue.send('media.fetch', {});
  };
