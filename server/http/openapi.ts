import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PRODUCT_NAME } from '../../contract/ground/constants.ts';
import { eventArray, eventPayload } from '../../contract/traffic/webhooks.ts';
import { completeDocument, INTRODUCTION, SECURITY_SCHEMES, TAGS } from './openapi-document.ts';

/** Without the dialect, which the document states once for all. */
const { $schema: _, ...payloadSchema } = z.toJSONSchema(z.union([eventPayload, eventArray])) as Record<
  string,
  unknown
>;

interface OpenApiOptions {
  version: string;
  /** Where people reach this program. */
  publicUrl: string;
}

/** Of the program, as package.json has it. */
const LICENCE = 'AGPL-3.0-only';

/** The one style element that the page itself writes. */
const INLINE_STYLE = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w=';

/** The page tries calls out at the public address. */
const policy = (publicUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' '${INLINE_STYLE}'`,
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The OpenAPI page at /api/docs and its document at /api/openapi.json, generated from the contract's schemas. */
export const registerOpenApi = async (
  app: FastifyInstance,
  { version, publicUrl }: OpenApiOptions,
): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${PRODUCT_NAME} API`,
        version,
        description: INTRODUCTION,
        license: { name: LICENCE, identifier: LICENCE },
      },
      servers: [{ url: publicUrl }],
      tags: TAGS,
      webhooks: {
        event: {
          post: {
            operationId: 'receiveEvent',
            // Known by its signature.
            security: [],
            summary: "What is posted to the account's webhook",
            description:
              'An event, or an array of events if the account has chosen more than one a call. Signed after Standard Webhooks: the headers webhook-id (the same at every retry), webhook-timestamp and webhook-signature. Any 2xx answer takes it; 410 ends the webhook; anything else is tried again for up to two days.',
            requestBody: { content: { 'application/json': { schema: payloadSchema } } },
            responses: { '2XX': { description: 'Taken.' } },
          },
        },
      },
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      'openapiObject' in document ? completeDocument(document.openapiObject) : document.swaggerObject,
  });
  // Many programs look for it at the root first.
  for (const url of ['/api/openapi.json', '/openapi.json'])
    app.get(url, { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: policy(publicUrl),
    // The badge of an external validator would reveal this address to others.
    uiConfig: { docExpansion: 'list', layout: 'BaseLayout', validatorUrl: null },
  });
};
