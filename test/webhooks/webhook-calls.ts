import fastify from 'fastify';
import { registerWebhooks } from '../../server/http/index.ts';
import {
  type ProviderWebhook,
  providerWebhooks,
  type Receiver,
} from '../../server/traffic/delivery/index.ts';
import type { CarrierEvents } from '../../server/traffic/lanes/index.ts';
import { freePort } from '../program.ts';

/** The endpoint that an emulated provider calls: the program's own, with its reports passed to a carrier's events. */
export const openWebhookCalls = async (webhooksFor: (publicUrl: string) => ProviderWebhook[]) => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const app = fastify();
  let events: CarrierEvents | undefined;
  const told = { lanes: new Set<string>() };
  const receiver: Receiver = {
    receipts: async (lane, receipts) => {
      told.lanes.add(lane);
      for (const receipt of receipts) await events?.receipt(receipt);
    },
    inbound: async (lane, inbound) => {
      told.lanes.add(lane);
      for (const one of inbound) await events?.inbound(one);
    },
  };
  registerWebhooks(app, providerWebhooks({ webhooks: webhooksFor(publicUrl), receiver }));
  await app.listen({ host: '127.0.0.1', port });
  return {
    publicUrl,
    told,
    hear: (given: CarrierEvents): void => {
      events = given;
    },
    close: () => app.close(),
  };
};
