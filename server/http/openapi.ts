import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PRODUCT_NAME } from '../../contract/constants.ts';
import { eventPayload } from '../../contract/webhooks.ts';

/** Without the mark of its dialect, which the document has for all. */
const { $schema: _, ...payloadSchema } = z.toJSONSchema(eventPayload) as Record<string, unknown>;

/** The OpenAPI page at /api/docs and its JSON at /api/docs/json, made from the contract's schemas. */
export const registerOpenApi = async (app: FastifyInstance, version: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${PRODUCT_NAME} API`, version },
      webhooks: {
        event: {
          post: {
            summary: "What is posted to the account's webhook",
            description:
              'Signed after Standard Webhooks: the headers webhook-id (the same at every retry), webhook-timestamp and webhook-signature. Any 2xx answer takes it; 410 ends the webhook; anything else is tried again for up to two days.',
            requestBody: { content: { 'application/json': { schema: payloadSchema } } },
            responses: { '2XX': { description: 'Taken.' } },
          },
        },
      },
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The token from signing in.',
          },
          secret: {
            type: 'http',
            scheme: 'bearer',
            description: "The account's API secret, or its test secret; it may travel in the body instead.",
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'list' },
  });
};
