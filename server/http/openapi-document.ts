import { ERROR_CODES } from '../../contract/ground/errors.ts';
import { text } from '../ground/translations/index.ts';
import { httpStatusOf } from './error-reply.ts';
import { plainSchemas } from './openapi-schemas.ts';

/** The part of the document that is used here. */
interface Document {
  paths?: object;
  components?: { schemas?: object };
}
interface Operation {
  summary?: string;
  responses: Record<string, object>;
}

export const SECURITY_SCHEMES = {
  secret: {
    type: 'http',
    scheme: 'bearer',
    description: "The account's API secret, or its test secret; it may travel in the body instead.",
  },
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The token from signing in.',
  },
} as const;

export const TAGS = [
  { name: 'messages', description: 'Sending: one message, or a CSV file of many. By a secret or a session.' },
  { name: 'batches', description: 'How far messages that were sent together have got.' },
  { name: 'uploads', description: 'CSV files that were checked before sending.' },
  { name: 'account', description: 'The account, its settings, its API secrets and its movements of money.' },
  { name: 'cards', description: 'Payment cards and top-ups.' },
  { name: 'webhooks', description: 'Where providers report to this program; not for customers.' },
];

/** Shows each placeholder by its name. */
const asNames = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}` });

/** Every code with its status and what it says, as a table. */
const catalogue = ERROR_CODES.map(
  (code) =>
    `| \`${code}\` | ${httpStatusOf(code)} | ${text('en_US', `error.${code}`, asNames).replaceAll('|', '\\|')} |`,
).join('\n');

export const INTRODUCTION = `Send with the API secret as a bearer token; with the test secret messages go through a simulator and cost nothing. Both are on the page Integration.

Unknown fields in a body are refused. With an \`Idempotency-Key\` a repeated call has no second effect: it gets the first answer. Amounts are in USD.

An error is answered as \`{code, message, requestId}\`. The \`message\` is in the language of \`Accept-Language\` (English or Traditional Chinese); programs go by the \`code\`. A body of another type than the call takes is 415, a method that its address does not take is 405, with \`Allow\`. On 429 and 503 \`Retry-After\` says when to come back.

<details><summary>Every error code</summary>

| code | status | message |
|---|---|---|
${catalogue}

</details>`;

const ERROR_SCHEMA = {
  type: 'object' as const,
  properties: {
    code: { type: 'string' as const, enum: [...ERROR_CODES] },
    message: { type: 'string' as const, description: "In the reader's language." },
    requestId: { type: 'string' as const, description: 'What to name when asking for help; also a header.' },
  },
  required: ['code', 'message', 'requestId'],
  additionalProperties: false,
};

const ERROR_RESPONSE = {
  description: 'Refused or failed; the code says why.',
  headers: {
    'x-request-id': { schema: { type: 'string' as const } },
    'retry-after': { description: 'Seconds, with 429 and 503.', schema: { type: 'integer' as const } },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Calls that return a file have a path that ends like one. */
const FILES: Record<string, string> = { csv: 'text/csv', pdf: 'application/pdf' };

/** `post` and `/api/{channel}/send` become postChannelSend, the name in generated clients. */
const operationId = (method: string, path: string): string =>
  [method, ...path.split(/[^a-zA-Z]+/).slice(2)]
    .filter(Boolean)
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

const complete = (operation: Operation, method: string, path: string): object => {
  const file = FILES[/\.(\w+)$/.exec(path)?.[1] ?? ''];
  const { 200: good, ...others } = operation.responses;
  return {
    ...operation,
    operationId: operationId(method, path),
    responses: {
      200: {
        ...good,
        description: operation.summary ?? 'Done',
        ...(file && { content: { [file]: { schema: { type: 'string', format: 'binary' } } } }),
      },
      ...others,
      '4XX': { $ref: '#/components/responses/Error' },
      default: { $ref: '#/components/responses/Error' },
    },
  };
};

/** What the routes' schemas don't contain: names for generated clients, files, and the shape of errors. */
export const completeDocument = <D extends Document>(document: D): D => {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item ?? {}).map(([method, operation]) => [
        method,
        complete(plainSchemas(operation) as Operation, method, path),
      ]),
    ),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA },
      responses: { Error: ERROR_RESPONSE },
    },
  };
};
