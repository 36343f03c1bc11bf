import type { AccountId } from '../contract/accounts.ts';
import { DomainError } from '../server/domain-error.ts';
import { wakeLanes } from '../server/lanes/index.ts';
import { accountsHaving, findOptedOut } from '../server/opt-outs/index.ts';
import { openDatabase } from '../server/postgres/index.ts';
import { openSending, prepare, readTerms } from '../server/sending/index.ts';
import { readWallet } from '../server/wallet/index.ts';
import type { Scene } from './sending-scene.ts';

const CLIENTS = 32;
/** Each has its own connections, as processes of the web role have. */
const DOORS = 2;
const MICROS_A_CENT = 10_000;

const openDoor = async (databaseUrl: string) => {
  const { db, close } = openDatabase({ url: databaseUrl, max: 5, onError: () => {} });
  const { send } = await openSending({
    db,
    queue: { send: async () => {} },
    wake: wakeLanes,
    optOuts: { find: findOptedOut, having: accountsHaving },
  });
  return { send, close };
};

/**
 * Clients send concurrently what twice the balance would pay for. Returns how many more or fewer than half were
 * accepted, and by how much the balance differs from what must be left.
 */
export const proveHalf = async (scene: Scene, each: number) => {
  const { db, messages } = scene;
  const terms = await readTerms(messages, { accountId: scene.accountId, channel: 'sms', test: false });
  const wanted = (client: number, at: number) => ({
    // Endings for which the message centre has no special behaviour.
    recipientRaw: `+85261${String(client).padStart(2, '0')}7${String(at).padStart(3, '0')}`,
    message: `Half, ${client} ${at}.`,
  });
  const { priceMicros } = prepare(terms, wanted(0, 0));
  const half = (CLIENTS * each) / 2;
  const costMicros = half * Number(priceMicros);
  // Money comes in whole cents; the remainder pays for no further message.
  const cents = Math.ceil(costMicros / MICROS_A_CENT);
  const accountId: AccountId = await scene.customerWith(cents / 100);
  const doors = await Promise.all(Array.from({ length: DOORS }, () => openDoor(scene.databaseUrl)));
  let accepted = 0;
  const runClient = async (client: number): Promise<void> => {
    for (let at = 0; at < each; at += 1)
      try {
        await doors[client % DOORS]?.send({
          sender: { accountId, test: false },
          channel: 'sms',
          wanted: wanted(client, at),
          idempotencyKey: undefined,
        });
        accepted += 1;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'E_BALANCE_TOO_LOW') throw error;
      }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
  } finally {
    for (const door of doors) await door.close();
  }
  const { balanceMicros } = await readWallet(db, accountId);
  return {
    halfAccepted: accepted,
    halfMissed: Math.abs(accepted - half),
    halfMissedMicros: Math.abs(Number(balanceMicros) - (cents * MICROS_A_CENT - costMicros)),
  };
};
