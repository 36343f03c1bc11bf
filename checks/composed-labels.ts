import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Values that fill a composed label: of a constant of the contract, or written out. */
type Values = { file: string; name: string; key?: string } | readonly string[];

const ofContract = (file: string, name: string) => ({ file: `contract/${file}.ts`, name });
const CHANNELS = ofContract('messages', 'CHANNELS');

/**
 * Labels that are composed at run time, where * stands for the part that is only known then, and what may stand there.
 * Any other label has to be written out.
 */
const COMPOSED: Record<string, Values> = {
  'amount.*': ['COMMA', 'INVALID', 'NEGATIVE', 'NOT_CENTS', 'TOO_LARGE', 'TOO_SMALL', 'ZERO'],
  'billing.channel.*': CHANNELS,
  'billing.channelName.*': CHANNELS,
  'billing.chart.*': ['messages', 'spent'],
  'billing.movement.*': ['TOP_UP', 'ADJUSTMENT', 'REVERSAL'],
  'billing.statement.*': [
    'title',
    'account',
    'accountId',
    'period',
    'usage',
    'nothing',
    'opening',
    'balance',
    'closing',
    'note',
  ],
  'billing.unit.*': CHANNELS,
  'contact.csv.*': ['phone', 'name', 'notes', 'last_message', 'opted_out'],
  'details.cancelled.*': ofContract('message-details', 'CANCELLED_WHYS'),
  'details.diverted.*': ofContract('message-details', 'DIVERTED_WHYS'),
  'details.routed.*': ofContract('message-details', 'ROUTED_WHYS'),
  'details.step.*': ofContract('message-details', 'STEP_KINDS'),
  'details.waiting.*': ofContract('message-details', 'WAITING_WHYS'),
  'details.way.*': ofContract('message-details', 'MESSAGE_WAYS'),
  'error.*': ofContract('errors', 'ERROR_CODES'),
  'events.fault.*': ofContract('webhooks', 'ANSWER_FAULTS'),
  'events.state.*': ofContract('webhooks', 'EVENT_STATES'),
  'events.type.*': ofContract('webhooks', 'EVENT_TYPES'),
  'glance.*': ['sent', 'delivered', 'failed', 'spent'],
  'integration.outcome.*': ofContract('integration', 'CALL_OUTCOMES'),
  'payments.compared.*': ['agrees', 'changed', 'differs', 'unreachable', 'other-provider'],
  'payments.refunded.*': ['ASKED', 'DONE', 'REFUSED'],
  'payments.step.*': [
    'created',
    'checked',
    'mailed',
    'waits',
    'booked',
    'settled.SUCCESS',
    'settled.FAILED',
    'settled.PENDING',
    'event.charge',
    'event.refund',
    'event.dispute',
    'event.refund-failed',
    'event.ignored',
    'refund.ASKED',
    'refund.DONE',
    'refund.REFUSED',
  ],
  'ledger.kind.*': ofContract('wallet', 'ENTRY_KINDS'),
  'mail.limit.*.body': ['day-limit', 'new-countries'],
  'mail.limit.*.subject': ['day-limit', 'new-countries'],
  'mail.webhook.*.body': ['failing', 'gone'],
  'mail.webhook.*.next': ['failing', 'gone'],
  'mail.webhook.*.subject': ['failing', 'gone'],
  'message.csv.*': [
    'id',
    'account',
    'created',
    'direction',
    'incoming',
    'outgoing',
    'channel',
    'status',
    'identifier',
    'from',
    'to',
    'subject',
    'message',
    'segments',
    'price',
    'currency',
    'test',
    'yes',
    'no',
    'reason',
    'sent',
    'delivered',
    'read',
    'carrier',
    'updated',
    'provider',
    'provider_id',
  ],
  'message.reason.*': [
    'SIM_REFUSED',
    'SIM_BUSY',
    'SIM_FAILED',
    'E_UNKNOWN_OUTCOME',
    'NOT_DELIVERED',
    'UNDELIVERABLE',
    'EXPIRED',
    'DELETED',
    'REJECTED',
    'UNREACHABLE',
    'BLOCKED',
    'NO_SUCH_RECIPIENT',
    'NOT_A_MOBILE',
    'FILTERED',
    'OPTED_OUT',
    'NOT_ON_WHATSAPP',
    'MAILBOX_FULL',
  ],
  'messages.method.*': ofContract('message-search', 'SIM_METHODS'),
  'opt_out.csv.*': ['phone', 'channel', 'since', 'source', 'note'],
  'opt_out.source.*': ofContract('opt-outs', 'OPT_OUT_SOURCES'),
  'opt_outs.source.*': ofContract('opt-outs', 'OPT_OUT_SOURCES'),
  'payment.status.*': ofContract('wallet', 'PAYMENT_STATUSES'),
  'payment.type.*': ofContract('wallet', 'PAYMENT_TYPES'),
  'qf.outcome.*': ofContract('query', 'QUERY_OUTCOMES'),
  'query.refused.*': ofContract('query', 'QUERY_REFUSALS'),
  'phones.balance_kind.*': ['reported', 'entered', 'recharge'],
  'phones.flag.*': ofContract('phone-rules', 'PHONE_FLAGS'),
  'phones.throttle.*': ofContract('phone-rules', 'PHONE_THROTTLES'),
  'phones.way.*': ofContract('phone-rules', 'PHONE_CHANNELS'),
  'retention.rule.*': [
    'closed-messages',
    'closed-texts',
    'closed-contacts',
    'closed-opt-outs',
    'closed-webhooks',
    'closed-profile',
    'closed-records',
    'closed-identity',
    'mail-copies',
  ],
  'sandboxCard.*': { ...ofContract('sandbox-cards', 'SANDBOX_CARDS'), key: 'kind' },
  'send.channel.*': CHANNELS,
  'send.encoding.*': ['GSM', 'UCS2'],
  'send.simulator.*': { ...ofContract('simulator', 'SIMULATED_RECIPIENTS'), key: 'kind' },
  'send.unit_price.*': CHANNELS,
  'unsubscribe.*.*': ['ask', 'out', 'in', 'invalid'].flatMap((state) => [`${state}.title`, `${state}.text`]),
  'upload.csv.*': ['row', 'column', 'reason'],
  'upload.reason.*': [
    'E_PHONE_INVALID',
    'E_CALLING_CODE_UNKNOWN',
    'E_PLACEHOLDER_EMPTY',
    'E_CSV_NO_COLUMN',
    'E_TOO_MANY_SEGMENTS',
    'E_MESSAGE_TOO_LONG',
    'E_IDENTIFIER_TOO_LONG',
    'E_NO_LANE',
    'E_NO_PRICE',
    'E_NUMBER_RANGE',
  ],
  'wallet.authenticated.*': ['approved', 'refused'],
  'wallet.channel.*': CHANNELS,
  'wallet.csv.*': ['time', 'kind', 'description', 'amount', 'balance', 'id'],
  'wallet.entry.*': ofContract('wallet', 'ENTRY_KINDS'),
  'wallet.entry.*.messages': ['CAPTURE', 'REFUND'],
  'wallet.paid.*': ['SUCCESS', 'PENDING', 'authenticate'],
  'wallet.payment.*': ofContract('wallet', 'PAYMENT_TYPES'),
  'wallet.receipt.*': ['title', 'paid', 'number', 'date', 'account', 'for', 'credited', 'charged', 'note'],
};

const read = async (root: string, values: Values): Promise<string[]> => {
  if (!('file' in values)) return [...values];
  const path = join(root, values.file);
  if (!existsSync(path)) return [];
  const found = ((await import(pathToFileURL(path).href)) as Record<string, unknown>)[values.name];
  const { key } = values;
  return Array.isArray(found) ? found.map((value) => String(key === undefined ? value : value[key])) : [];
};

/** Every label that a composed one may become, by its pattern. */
export const composedLabels = async (root: string): Promise<Map<string, string[]>> =>
  new Map(
    await Promise.all(
      Object.entries(COMPOSED).map(
        async ([pattern, values]): Promise<[string, string[]]> => [
          pattern,
          (await read(root, values)).map((value) => pattern.replace(/\*(.*\*)?/, value)),
        ],
      ),
    ),
  );
