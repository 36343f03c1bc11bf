import { z } from 'zod';
import { checkPlaceholders } from './check-placeholders.ts';

const pattern = z.string().superRefine((text, context) => {
  try {
    new RegExp(text, 'su');
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is no regular expression: ${(error as Error).message}` });
  }
});

const PLACES = ['json', 'form', 'query', 'header', 'regex'] as const;
type Place = (typeof PLACES)[number];

/** Where something stands: exactly one of these. A regex gives its first group, or all it finds. */
const where = (...places: Place[]) =>
  z
    .strictObject({
      json: z.string().min(1).optional(),
      form: z.string().min(1).optional(),
      query: z.string().min(1).optional(),
      header: z.string().min(1).toLowerCase().optional(),
      regex: pattern.optional(),
    })
    .refine((given) => Object.keys(given).length === 1 && places.includes(Object.keys(given)[0] as Place), {
      error: `must say one place: ${places.map((place) => `{ "${place}": … }`).join(' or ')}`,
    });
export type Where = z.infer<ReturnType<typeof where>>;
const inAnswer = where('json', 'regex', 'header');
const inCall = where(...PLACES);

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'keep-alive',
  'expect',
]);
const headers = z.record(
  z
    .string()
    .regex(HEADER_NAME, 'is no name of a header')
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), 'is set by the program itself'),
  z.string().regex(/^[\t\x20-\x7e]*$/, 'must be of plain characters on one line'),
);
const fields = z.record(z.string().min(1), z.string());

const body = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('json'), content: z.json() }),
    z.strictObject({ kind: z.literal('form'), fields }),
    z.strictObject({
      kind: z.literal('raw'),
      contentType: z.string().regex(/^[\x20-\x7e]+$/, 'must be a content type'),
      text: z.string(),
      escape: z.enum(['none', 'xml', 'json', 'url'], 'must be one of none, xml, json, url'),
    }),
  ],
  'must be of the kind json, form or raw',
);

const url = z
  .string()
  .regex(/^https?:\/\/[^/?#\s{}@]+([/?][^#\s]*)?$/, {
    error: 'must begin with http:// or https:// and a host, without placeholders up to there and without #',
  })
  .refine((text) => URL.canParse(text.replaceAll(/\{\{[^{}]*\}\}/g, 'x')), 'must be an address');

const ourCode = z.string().regex(/^[A-Z0-9][A-Z0-9_]{0,39}$/, 'must be of capital letters, digits and _');

const statuses = z.array(z.int().min(200).max(599)).min(1);
const value = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const success = z
  .strictObject({
    statuses: statuses.default([200, 201, 202]),
    where: inAnswer.optional(),
    equals: z.union([value, z.array(value).min(1)]).optional(),
    matches: pattern.optional(),
  })
  .refine((given) => (given.equals ?? given.matches) === undefined || given.where !== undefined, {
    error: 'is needed with "equals" or "matches"',
    path: ['where'],
  });

/** As Standard Webhooks has it. */
export const WITHIN_SECONDS = 300;
const secretName = z.string().min(1);
const check = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('token'), secret: secretName }),
    z.strictObject({
      kind: z.literal('header'),
      header: z.string().regex(HEADER_NAME).toLowerCase(),
      value: z.string().min(1),
    }),
    z.strictObject({
      kind: z.literal('hmac'),
      header: z.string().regex(HEADER_NAME).toLowerCase(),
      secret: secretName,
      hash: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
      encoding: z.enum(['hex', 'base64', 'base64url']).default('hex'),
      prefix: z.string().default(''),
      over: z.string().min(1).default('{{body}}'),
      /** A signed header with the time of the call: an older call may be somebody's who has overheard it. */
      time: z
        .strictObject({
          header: z.string().regex(HEADER_NAME).toLowerCase(),
          withinSeconds: z.int().min(1).max(86_400).default(WITHIN_SECONDS),
        })
        .optional(),
    }),
  ],
  'must be of the kind token, header or hmac: calls that anyone could make are not taken',
);
export type Check = z.infer<typeof check>;

const reply = z.strictObject({
  status: z.int().min(200).max(299).default(200),
  type: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .default('text/plain; charset=utf-8'),
  body: z.string().default('OK'),
});
const callbackParts = {
  check,
  /** A list in JSON: each item is a report, and `json` is looked up within it. */
  items: z.string().min(1).optional(),
  reply: reply.default({ status: 200, type: 'text/plain; charset=utf-8', body: 'OK' }),
};
const STATES = ['delivered', 'read', 'failed', 'enroute'] as const;

export const templateSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'must be of small letters, digits and -'),
    /** Each as it is, or from the environment. */
    secrets: z
      .record(
        z.string().regex(/^\w+$/, 'must be of letters, digits and _'),
        z.union(
          [z.string().min(1), z.strictObject({ env: z.string().min(1) })],
          'must be a text or { "env": "NAME" }',
        ),
      )
      .default({}),
    /** The sender of messages that name none. */
    from: z.string().min(1).optional(),
    /** Calls at the same time, and a second. */
    window: z.int().min(1).max(1_000).default(10),
    perSecond: z.number().positive().max(10_000).optional(),
    /** Below what delivery waits for an answer in all. */
    timeoutMs: z.int().min(100).max(80_000).default(30_000),
    send: z
      .strictObject({
        method: z.enum(['GET', 'POST', 'PUT'], 'must be GET, POST or PUT').default('POST'),
        url,
        headers: headers.default({}),
        query: fields.default({}),
        basicAuth: z.strictObject({ user: z.string(), password: z.string() }).optional(),
        /** As +85261234567, or digits alone. */
        to: z.enum(['e164', 'digits'], 'must be e164 or digits').default('e164'),
        body: body.optional(),
      })
      .refine(({ method, body: given }) => method !== 'GET' || given === undefined, {
        error: 'must not be there with GET',
        path: ['body'],
      }),
    answer: z.strictObject({
      success: success.default({ statuses: [200, 201, 202] }),
      id: inAnswer.optional(),
      errorCode: inAnswer.optional(),
      errorText: inAnswer.optional(),
      /** By the provider's code; HTTP_429 and the like where it gives none. */
      errors: z
        .record(
          z.string(),
          z.strictObject({
            code: ourCode,
            retryable: z.boolean().default(false),
            reason: z.string().optional(),
          }),
        )
        .default({}),
      otherErrors: z
        .enum(['final', 'retryable', 'unknown'], 'must be final, retryable or unknown')
        .default('final'),
    }),
    status: z
      .strictObject({
        ...callbackParts,
        id: inCall,
        state: inCall,
        states: z.record(z.string(), z.enum(STATES, `must be one of ${STATES.join(', ')}`)),
        otherStates: z.enum(STATES, `must be one of ${STATES.join(', ')}`).default('enroute'),
        code: inCall.optional(),
        recipient: inCall.optional(),
      })
      .optional(),
    inbound: z
      .strictObject({ ...callbackParts, id: inCall.optional(), from: inCall, to: inCall, text: inCall })
      .optional(),
  })
  .superRefine((template, context) => {
    for (const { path, message } of checkPlaceholders(template))
      context.addIssue({ code: 'custom', path, message });
  });

/** A provider as its file describes it, with the secrets' values. */
export interface ProviderTemplate extends Omit<z.infer<typeof templateSchema>, 'secrets'> {
  secrets: Record<string, string>;
}
export type SendTemplate = ProviderTemplate['send'];
export type StatusTemplate = NonNullable<ProviderTemplate['status']>;
export type InboundTemplate = NonNullable<ProviderTemplate['inbound']>;
