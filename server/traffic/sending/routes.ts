import type { SenderRoutes } from '../../ground/route/index.ts';
import { quote } from './quote.ts';
import type { Send } from './send.ts';
import { sendMany } from './send-many.ts';
import type { SendingDeps } from './sending-deps.ts';

export interface SendingRouteDeps extends SendingDeps {
  send: Send;
}

/** On the wire a recipient is called `phone`, whichever the channel is. */
const readBody = <B extends { phone?: string | undefined }>({ phone, ...rest }: B) => ({
  ...rest,
  recipientRaw: phone as B['phone'],
});

/** For an account's secret, its test secret or its session. */
export const sendingRoutes = (deps: SendingRouteDeps): SenderRoutes => ({
  'POST /:channel/send': ({ sender, params, body, headers }) =>
    deps.send({
      sender,
      channel: params.channel,
      wanted: readBody(body),
      idempotencyKey: headers['idempotency-key'],
    }),
  'POST /:channel/sendMany': ({ sender, params, body, headers, language }) =>
    sendMany(deps, {
      sender,
      channel: params.channel,
      body,
      idempotencyKey: headers['idempotency-key'],
      language,
    }),
  'POST /:channel/quote': ({ sender, params, body }) =>
    quote(deps, { sender, channel: params.channel, wanted: readBody(body) }),
});
