import type { Webhooks } from '../route/index.ts';
import type { ProviderWebhook, Receiver } from './provider-webhook.ts';

/** Providers gather what they tell; beyond this nobody does. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface ProviderWebhooksDeps {
  receiver: Receiver;
  webhooks: ProviderWebhook[];
}

/** Where the providers of ways out call us: receipts, and what people write. */
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
