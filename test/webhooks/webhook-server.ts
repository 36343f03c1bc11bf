import fastify from 'fastify';
import { registerWebhooks } from '../../server/http/index.ts';
import {
  type ProviderWebhook,
  providerWebhooks,
  type Receiver,
} from '../../server/traffic/delivery/index.ts';
import type { CarrierEvents } from '../../server/traffic/lanes/index.ts';

/** Passes what a webhook reports to the events of a carrier, one by one. */
export const receiverInto = (events: () => CarrierEvents | undefined): Receiver => ({
  receipts: async (_, receipts) => {
    for (const receipt of receipts) await events()?.receipt(receipt);
  },
  inbound: async (_, told) => {
    for (const inbound of told) await events()?.inbound(inbound);
  },
});

/** Our side of a provider's webhooks on a socket, with the program's own routes. */
export const startWebhookServer = async (webhooks: ProviderWebhook[], receiver: Receiver) => {
  const app = fastify();
  registerWebhooks(app, providerWebhooks({ webhooks, receiver }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/api/providers`, app, close: () => app.close() };
};
