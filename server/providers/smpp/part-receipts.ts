import type { Receipt } from '../../lanes/index.ts';
import { openRecentMap } from './recent-map.ts';

/** Makes one receipt from those of the parts of a long message. */
interface PartReceipts {
  /** All parts were accepted under these ids, the first of which stands for the message. */
  expect: (ids: readonly string[]) => void;
  /** Whether this is the id of a part. */
  knows: (id: string) => boolean;
  /** The receipt of the whole message, given that of a part or of a message in one piece. */
  merge: (receipt: Receipt) => Receipt;
}

interface LongMessage {
  firstId: string;
  missing: Set<string>;
  /** The code of the first failure. */
  failure: string | undefined;
}

/** The oldest are dropped first; receipts of their parts then stand for themselves. */
const REMEMBERED = 50_000;

export const openPartReceipts = (): PartReceipts => {
  const byPart = openRecentMap<LongMessage>(REMEMBERED);
  return {
    expect: (ids) => {
      const [firstId = ''] = ids;
      const message: LongMessage = { firstId, missing: new Set(ids), failure: undefined };
      for (const id of ids) byPart.set(id, message);
    },
    knows: (id) => byPart.get(id) !== undefined,
    merge: (receipt) => {
      const message = byPart.get(receipt.providerMessageId);
      if (!message) return receipt;
      const told = { ...receipt, providerMessageId: message.firstId };
      if (receipt.state === 'failed') message.failure ??= receipt.code;
      if (receipt.state === 'delivered') message.missing.delete(receipt.providerMessageId);
      if (message.failure !== undefined) return { ...told, state: 'failed', code: message.failure };
      return receipt.state === 'delivered' && message.missing.size > 0 ? { ...told, state: 'enroute' } : told;
    },
  };
};
