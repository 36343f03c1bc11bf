import { randomUUID } from 'node:crypto';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { ProviderWebhook, WebhookAnswer, WebhookCall } from '../../traffic/delivery/index.ts';
import type { Inbound, Receipt } from '../../traffic/lanes/index.ts';
import { ID_FIELD, laneNameOf } from './callback-url.ts';
import { isOfProvider } from './check-call.ts';
import { nameCode } from './read-answer.ts';
import { type Brought, parseJson, readPath, readWhere } from './read-where.ts';
import type { InboundTemplate, ProviderTemplate, StatusTemplate } from './template.ts';

const FORGED: WebhookAnswer = { status: 403, body: 'This call is not from the provider.' };
const UNREADABLE: WebhookAnswer = { status: 400, body: 'This call is not as the template describes it.' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Without a plus sign or zeros, up to this many digits are a short or a national number. */
const SHORT_DIGITS = 8;

/** International numbers come as +852…, 00852… or 852…; anything else is a name, or a short or national number. */
const numberOf = (text: string): string => {
  const given = text.replace(/[\s().-]/g, '');
  const digits = given.replace(/^(\+|00)/, '');
  const isWhole = digits !== given || digits.length > SHORT_DIGITS;
  return isWhole && /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : text.trim();
};

/** The reports of a call, one by one; undefined if the list is missing. */
const itemsOf = (call: WebhookCall, items: string | undefined): Brought[] | undefined => {
  const text = call.body.toString('utf8');
  const json = parseJson(text);
  const brought = { headers: call.headers, text, query: call.query, json };
  if (items === undefined) return [brought];
  const list = readPath(json, items);
  return Array.isArray(list) ? list.map((item: unknown) => ({ ...brought, json: item })) : undefined;
};

const readReceipt = (
  template: Pick<ProviderTemplate, 'name' | 'answer'>,
  status: StatusTemplate,
  brought: Brought,
): Receipt | undefined => {
  const [id, told] = [readWhere(status.id, brought), readWhere(status.state, brought)];
  if (!id || told === undefined) return undefined;
  const state = status.states[told] ?? status.otherStates;
  const code = readWhere(status.code, brought);
  const ours = status.items === undefined ? brought.query?.get(ID_FIELD) : undefined;
  const recipient = readWhere(status.recipient, brought);
  return {
    providerMessageId: id,
    state,
    at: new Date(),
    code: state === 'failed' && code ? nameCode(template, code) : '',
    ...(ours && UUID.test(ours) && { messageId: ours as MessageId }),
    ...(recipient && { recipient: numberOf(recipient) }),
  };
};

const readInbound = (inbound: InboundTemplate, brought: Brought): Inbound | undefined => {
  const [from, to, text] = [inbound.from, inbound.to, inbound.text].map((where) => readWhere(where, brought));
  if (!from || to === undefined || text === undefined) return undefined;
  return {
    // Without an id a repeated call can't be distinguished from a repeated message.
    providerMessageId: readWhere(inbound.id, brought) || randomUUID(),
    from: numberOf(from),
    to: numberOf(to),
    text,
    at: new Date(),
  };
};

/** All of them, or none if one can't be read: the provider gets an error and may send them again. */
const readAll = <Read>(items: Brought[] | undefined, read: (brought: Brought) => Read | undefined) => {
  const found = items?.map(read);
  return found?.every((one) => one !== undefined) ? (found as Read[]) : undefined;
};

/** Where a provider that a template describes reports, and brings what people write. */
export const httpSmsWebhooks = (template: ProviderTemplate, publicUrl: string): ProviderWebhook[] => {
  const { status, inbound, secrets } = template;
  const laneName = laneNameOf(template);
  const methods = ['GET', 'POST'] as const;
  const hooks: ProviderWebhook[] = [];
  if (status)
    hooks.push({
      path: `${laneName}/status`,
      methods,
      handle: async (call, receiver) => {
        if (!isOfProvider(call, { check: status.check, secrets, publicUrl })) return FORGED;
        const receipts = readAll(itemsOf(call, status.items), (item) => readReceipt(template, status, item));
        if (!receipts) return UNREADABLE;
        await receiver.receipts(laneName, receipts);
        return status.reply;
      },
    });
  if (inbound)
    hooks.push({
      path: `${laneName}/inbound`,
      methods,
      handle: async (call, receiver) => {
        if (!isOfProvider(call, { check: inbound.check, secrets, publicUrl })) return FORGED;
        const written = readAll(itemsOf(call, inbound.items), (item) => readInbound(inbound, item));
        if (!written) return UNREADABLE;
        await receiver.inbound(laneName, written);
        return inbound.reply;
      },
    });
  return hooks;
};
