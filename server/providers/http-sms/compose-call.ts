import type { HttpCall } from '../../ground/http-client/index.ts';
import type { Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { ESCAPES, fillPlaceholders, isAbsent, type Values } from './placeholders.ts';
import type { ProviderTemplate, SendTemplate } from './template.ts';

type Refusal = SendOutcome & { outcome: 'refused' };

const valuesOf = (
  { secrets, from, send }: ProviderTemplate,
  message: Outgoing,
  callbackUrl: string | undefined,
): Values => {
  const known: Record<string, string | undefined> = {
    to: send.to === 'digits' ? message.recipient.replace(/^\+/, '') : message.recipient,
    from: message.from ?? from,
    text: message.text,
    id: message.id,
    callbackUrl,
  };
  return (name) =>
    name.startsWith('secret.') ? secrets[name.slice('secret.'.length)] : known[name]?.toWellFormed();
};

const fillFields = (fields: Record<string, string>, values: Values): [string, string][] =>
  Object.entries(fields)
    .filter(([, text]) => !isAbsent(text, values))
    .map(([name, text]) => [name, fillPlaceholders(text, values)]);

/** Texts within JSON are filled before it is written, so that nothing in them can be more than a text. */
const fillJson = (content: unknown, values: Values): unknown => {
  if (typeof content === 'string') return fillPlaceholders(content, values);
  if (Array.isArray(content)) return content.map((inner) => fillJson(inner, values));
  if (typeof content !== 'object' || content === null) return content;
  return Object.fromEntries(
    Object.entries(content)
      .filter(([, inner]) => !(typeof inner === 'string' && isAbsent(inner, values)))
      .map(([name, inner]) => [name, fillJson(inner, values)]),
  );
};

const fillBody = (body: SendTemplate['body'], values: Values): { type: string; text: string } | undefined => {
  if (!body) return undefined;
  if (body.kind === 'json')
    return { type: 'application/json', text: JSON.stringify(fillJson(body.content, values)) };
  if (body.kind === 'form')
    return {
      type: 'application/x-www-form-urlencoded',
      text: new URLSearchParams(fillFields(body.fields, values)).toString(),
    };
  return { type: body.contentType, text: fillPlaceholders(body.text, values, ESCAPES[body.escape]) };
};

const fillUrl = ({ url, query }: SendTemplate, values: Values): string => {
  const filled = fillPlaceholders(url, values, encodeURIComponent);
  const more = new URLSearchParams(fillFields(query, values)).toString();
  return more === '' ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${more}`;
};

const UNSENDABLE: Refusal = {
  outcome: 'refused',
  code: 'INVALID_SENDER',
  reason: 'The sender holds characters that the provider can not be given.',
  retryable: false,
};

/** The call that hands a message to the provider, or why it can't be made. */
export const composeCall = (
  template: ProviderTemplate,
  message: Outgoing,
  callbackUrl: string | undefined,
): HttpCall | Refusal => {
  const { send } = template;
  const values = valuesOf(template, message, callbackUrl);
  const body = fillBody(send.body, values);
  const user =
    send.basicAuth &&
    `${fillPlaceholders(send.basicAuth.user, values)}:${fillPlaceholders(send.basicAuth.password, values)}`;
  const given = fillFields(send.headers, values).map(([name, value]) => [name.toLowerCase(), value] as const);
  // A line break would start another header.
  if (given.some(([, value]) => !/^[\t\x20-\x7e]*$/.test(value))) return UNSENDABLE;
  return {
    method: send.method,
    url: fillUrl(send, values),
    headers: {
      accept: '*/*',
      ...(body && { 'content-type': body.type }),
      ...(user !== undefined && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
      ...Object.fromEntries(given),
    },
    body: body?.text,
  };
};
