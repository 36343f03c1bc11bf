import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openQuota, type Quota } from '../../ground/limits/index.ts';
import type { CallerUploads, SenderUploads } from '../../ground/route/index.ts';
import { auditWrites } from '../audit-calls.ts';
import { requestAddress } from '../defence/request-origin.ts';
import { guardHook, type UserLine } from '../guard-hook.ts';
import { admitSender, type GuardDeps, secretIn } from '../guards.ts';
import { CallInput } from './call-input.ts';
import { receiveForm } from './receive-form.ts';
import { describe, splitName } from './route-name.ts';

/** Forms of senders who have not said who they are; from one address few, because each may be a silent one. */
const STRANGERS = { total: 200, perKey: 4 };

/** The handlers' inputs are typed by their schemas; here, where they are looked up by name, only their shape is known. */
type AnyUpload = CallerUploads[`POST /${string}`] & SenderUploads[`POST /${string}`];

const registerUpload = (
  scope: FastifyInstance,
  { line, name, upload }: { line: UserLine; name: string; upload: AnyUpload },
  { strangers, ...deps }: GuardDeps & { strangers: Quota },
): void => {
  const { guard } = line;
  const { method, path } = splitName(name);
  const audited = auditWrites(line, name, deps);
  const { file, fields, params, headers, reply: answer } = upload;
  // Once: a schema is compiled when it is first used, which takes longer than to read a form.
  const form = { ...upload, fieldsSoFar: fields.partial() };
  scope.route({
    method,
    url: `/api${path}`,
    config: { guard, expensive: true, upload: true },
    schema: {
      ...describe({ guard, path, summary: upload.summary }),
      consumes: ['multipart/form-data'],
      params,
      ...(headers && { headers }),
      body: fields.extend({ [file.name]: z.string().meta({ format: 'binary' }) }),
      response: { 200: answer },
    },
    // A sender's secret may be a field of the form, even one that comes after the file.
    ...(guard !== 'sender' && guardHook(line, name, deps)),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const input = new CallInput(request, reply);
      /** A sender is found once for each secret that the form brings. */
      let found: { secret: string; accountId: AccountId } | undefined;
      const identify = async (given: object): Promise<AccountId | undefined> => {
        if (request.caller) return request.caller.accountId;
        const secret = secretIn(given);
        if (found?.secret === secret) return found.accountId;
        if (!secret && !request.headers.authorization) return undefined;
        request.sender = await admitSender(request, deps, secret);
        found = { secret, accountId: request.sender.accountId };
        return found.accountId;
      };
      return receiveForm(request, form, {
        check: async () => upload.check?.(input as never),
        identify,
        takeStranger: () => strangers(requestAddress(request)),
        admit: async (given) => {
          if (!(await identify(given))) await admitSender(request, deps, '');
        },
        take: async (received) =>
          audited(request, async () => upload.take(Object.assign(input, received) as never), received.fields),
      });
    },
  });
};

/** Calls that take a file in a form. Forms are read within this plugin only. */
export const registerUploads = (
  app: FastifyInstance,
  line: UserLine,
  uploads: CallerUploads | SenderUploads,
  deps: GuardDeps,
): void => {
  const strangers = openQuota(STRANGERS);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { throwFileSizeLimit: false });
    // The schema only documents the body: its parts are checked as they arrive.
    scope.setValidatorCompiler<z.ZodType>((given) =>
      given.httpPart === 'body' ? () => true : validatorCompiler(given),
    );
    for (const [name, upload] of Object.entries(uploads))
      registerUpload(scope, { line, name, upload: upload as AnyUpload }, { ...deps, strangers });
  });
};
