import type { SendingDeps } from './sending-deps.ts';

type OptOuts = SendingDeps['optOuts'];
type Addressee = Parameters<OptOuts['find']>[1][number];

/** Separates messages whose recipient has opted out from the others, by one query for all of them. */
export const separateOptedOut = async <M>(
  { db, optOuts }: Pick<SendingDeps, 'db' | 'optOuts'>,
  messages: M[],
  addresseeOf: (message: M) => Addressee,
): Promise<{ willing: M[]; optedOut: M[] }> => {
  const places = await optOuts.find(db, messages.map(addresseeOf));
  if (places.size === 0) return { willing: messages, optedOut: [] };
  return {
    willing: messages.filter((_, place) => !places.has(place)),
    optedOut: messages.filter((_, place) => places.has(place)),
  };
};
