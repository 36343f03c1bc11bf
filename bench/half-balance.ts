import { readWallet } from '../server/customer/wallet/index.ts';
import { callApi } from '../test/api.ts';
import type { Scene } from './sending/sending-scene.ts';

const CLIENTS = 32;
const MICROS_A_CENT = 10_000;

/**
 * Clients of two web processes send concurrently what twice the balance would pay for. Returns how many more or fewer
 * than half were accepted, and by how much the balance differs from what must be left.
 */
export const proveHalf = async ({ db, posthorn, plain, url, startWeb }: Scene, each: number) => {
  const urls = [url, (await startWeb()).url];
  const params = { channel: 'sms' };
  const messageOf = (client: number, at: number) => ({
    // Endings for which the message centre has no special behaviour.
    phone: `+85261${String(client).padStart(2, '0')}7${String(at).padStart(3, '0')}`,
    message: `Half, ${client} ${at}.`,
  });
  const quote = await callApi(url, 'POST /:channel/quote', {
    params,
    body: { secret: plain.secret, ...messageOf(0, 0) },
  });
  const half = (CLIENTS * each) / 2;
  const costMicros = half * Math.round(quote.reply.price * 1e6);
  // Money comes in whole cents; the remainder pays for no further message.
  const cents = Math.ceil(costMicros / MICROS_A_CENT);
  const [customer] = await posthorn.customers(1, cents / 100);
  if (!customer) throw new Error('no account was made');
  let accepted = 0;
  const runClient = async (client: number): Promise<void> => {
    for (let at = 0; at < each; at += 1) {
      const body = { secret: customer.secret, ...messageOf(client, at) };
      const { status, error } = await callApi(urls[client % urls.length] ?? url, 'POST /:channel/send', {
        params,
        body,
      });
      if (status === 200) accepted += 1;
      else if (error.code !== 'E_BALANCE_TOO_LOW') throw new Error(`answered with ${JSON.stringify(error)}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
  const { balanceMicros } = await readWallet(db, customer.accountId);
  return {
    halfAccepted: accepted,
    halfMissed: Math.abs(accepted - half),
    halfMissedMicros: Math.abs(Number(balanceMicros) - (cents * MICROS_A_CENT - costMicros)),
  };
};
