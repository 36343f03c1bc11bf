import type { Inbound, Receipt } from '../../traffic/lanes/index.ts';
import { reportCode } from './graph-errors.ts';
import { numberOf } from './phone-number.ts';
import { readCloudInbound } from './read-inbound.ts';
import { type JsonObject, listOf, objectOf, textOf, timeOf } from './read-json.ts';

/** What a webhook reports about one of the numbers. */
interface Told {
  phoneNumberId: string;
  receipts: Receipt[];
  inbound: Inbound[];
  /** Troubles of the number or the app that belong to no message. */
  errors: number[];
}

const STATES = new Map<string, Receipt['state']>([
  ['sent', 'enroute'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A voice message that was listened to.
  ['played', 'read'],
  ['failed', 'failed'],
]);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const readStatus = (status: JsonObject): Receipt[] => {
  const [id, state] = [textOf(status.id), STATES.get(textOf(status.status))];
  if (id === '' || !state) return [];
  const ours = textOf(status.biz_opaque_callback_data);
  const recipient = textOf(status.recipient_id);
  return [
    {
      providerMessageId: id,
      state,
      at: timeOf(status.timestamp),
      code: state === 'failed' ? reportCode(listOf(status.errors)[0]?.code) : '',
      ...(UUID.test(ours) && { messageId: ours as NonNullable<Receipt['messageId']> }),
      ...(recipient !== '' && { recipient: numberOf(recipient) }),
    },
  ];
};

const readValue = (value: JsonObject): Told => {
  const metadata = objectOf(value.metadata);
  const to = numberOf(textOf(metadata.display_phone_number));
  const names = new Map(
    listOf(value.contacts).map(({ wa_id, profile }) => [textOf(wa_id), textOf(objectOf(profile).name)]),
  );
  return {
    phoneNumberId: textOf(metadata.phone_number_id),
    receipts: listOf(value.statuses).flatMap(readStatus),
    inbound: listOf(value.messages).flatMap((message) => readCloudInbound(message, { to, names }) ?? []),
    errors: listOf(value.errors).map(({ code }) => Number(code)),
  };
};

/** Fields other than messages, such as changes of templates, say nothing about messages. */
export const readWebhook = (body: unknown): Told[] =>
  listOf(objectOf(body).entry)
    .flatMap(({ changes }) => listOf(changes))
    .filter(({ field }) => field === 'messages')
    .map(({ value }) => readValue(objectOf(value)));
