import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { findSession, isAnonymised, isOpen, openSenderSearch } from '../server/customer/accounts/index.ts';
import { contactFiles, contactRoutes, contactUploads, readNames } from '../server/customer/contacts/index.ts';
import {
  optOutFiles,
  optOutRoutes,
  optOutUploads,
  unsubscribePages,
} from '../server/customer/opt-outs/index.ts';
import { adminSenderRoutes, type SendersDeps, senderRoutes } from '../server/customer/senders/index.ts';
import { openListImports } from '../server/ground/csv/index.ts';
import { registerRoutes, replyWithError } from '../server/http/index.ts';
import { statusRoutes } from '../server/traffic/messages/index.ts';
import { sendingRoutes } from '../server/traffic/sending/index.ts';
import { csvUploads, uploadFiles, uploadRoutes } from '../server/traffic/uploads/index.ts';
import { openTestMessages } from './messages.ts';

interface Asked {
  bearer?: string;
  body?: object;
  key?: string;
  language?: string;
}

/** Sending, opt-outs, contacts and senders behind their guards, on a real database. */
export const openTestLists = async ({ resolveTxt = async () => [] }: Partial<SendersDeps> = {}) => {
  const room = await openTestMessages();
  for (const channel of ['sms', 'whatsapp', 'email'] as const) await room.addLane({ name: channel, channel });
  await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
  const messages = await room.open();
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-lists-'));
  const { db, accounts } = room;
  const guards = {
    findSession: (token: string) => findSession(db, token),
    findSender: openSenderSearch(db),
    limits: accounts.limits,
  };
  const jobs: { name: string; data: object }[] = [];
  const optOuts = {
    db,
    queue: {
      send: async (name: string, data: object) => {
        jobs.push({ name, data });
      },
    },
  };
  const senders: SendersDeps = {
    ...optOuts,
    limits: accounts.limits,
    secretKey: accounts.secretKey,
    resolveTxt,
    holdOpen: (trx, accountId) => isOpen(trx, accountId, { locked: true }),
  };
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  const imports = openListImports(folder);
  registerRoutes(
    app,
    [
      { guard: 'sender', routes: sendingRoutes(messages) },
      { guard: 'sender', routes: statusRoutes(messages) },
      {
        guard: 'sender',
        routes: uploadRoutes(messages),
        files: uploadFiles(messages),
        uploads: csvUploads(messages, folder),
      },
      {
        guard: 'customer',
        routes: optOutRoutes({ ...optOuts, readNames }),
        files: optOutFiles(optOuts),
        uploads: optOutUploads(optOuts, imports),
      },
      {
        guard: 'customer',
        routes: contactRoutes({ db }),
        files: contactFiles({ db }),
        uploads: contactUploads({ db }, imports),
      },
      { guard: 'customer', routes: senderRoutes(senders) },
      { guard: 'admin', routes: adminSenderRoutes(senders) },
      {
        guard: 'public',
        pages: unsubscribePages({
          ...optOuts,
          key: accounts.secretKey,
          isGone: (accountId) => isAnonymised(db, accountId),
        }),
      },
    ],
    guards,
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };

  const headersOf = ({ bearer, key, language = 'en-US' }: Asked) => ({
    'accept-language': language,
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(key && { 'idempotency-key': key }),
  });
  const inject = async (call: string, asked: Asked = {}) => {
    const [method, path] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
    return app.inject({
      method,
      url: `/api${path}`,
      headers: headersOf(asked),
      ...(asked.body && { payload: asked.body }),
    });
  };
  const ask = async (call: string, asked: Asked = {}) => {
    const answer = await inject(call, asked);
    return { http: answer.statusCode, ...answer.json() };
  };
  /** A file in a form, over the network: inject can't make forms. */
  const upload = async (
    path: string,
    csv: string | Buffer | undefined,
    { fields = {}, ...asked }: Asked & { fields?: Record<string, string> },
  ) => {
    const form = new FormData();
    if (csv !== undefined) form.append('csv', new Blob([csv as BlobPart]), 'people.csv');
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method: 'POST',
      headers: headersOf(asked),
      body: form,
    });
    const content = (await answer.json()) as Record<string, never>;
    return { http: answer.status, ...content } as Record<string, never> & { http: number };
  };
  const close = async (): Promise<string[]> => {
    await app.close();
    const left = await readdir(folder);
    await rm(folder, { recursive: true });
    await room.close();
    return left;
  };
  return { ...room, app, port, jobs, messages, optOuts, senders, inject, ask, upload, close };
};
