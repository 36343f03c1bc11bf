import type { Webhooks } from '../../ground/route/index.ts';
import type { ProviderWebhook, Receiver } from './provider-webhook.ts';

/** Providers send several reports in one call; none sends more than this. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface ProviderWebhooksDeps {
  receiver: Receiver;
  webhooks: ProviderWebhook[];
}

/** Where carriers' providers call us with receipts and incoming messages. */
export const providerWebhooks = ({ receiver, webhooks }: ProviderWebhooksDeps): Webhooks =>
  Object.fromEntries(
    webhooks.flatMap(({ path, methods, handle }) =>
      methods.map((method) => [
        `${method} /providers/${path}`,
        {
          maxBytes: MAX_BYTES,
          answer: async ({ log, ...call }) => {
            const answer = await handle(call, receiver);
            if (answer.status >= 400)
              log.warn({ provider: path, status: answer.status }, 'a call of a provider was refused');
            return answer;
          },
        } satisfies Webhooks[string],
      ]),
    ),
  );
