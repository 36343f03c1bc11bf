import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { openLog } from '../../ground/log/index.ts';
import { addWeb, buildApp } from '../app.ts';
import type { GuardDeps } from '../guards.ts';
import type { GuardedRoom } from '../registering/register-routes.ts';

interface Given extends Partial<Pick<GuardDeps, 'findSession' | 'findSender'>> {
  onRoute?: (endpoint: string) => void;
}

/** The app of the web role with these rooms, for one test: no database, no limits, and pages that are an empty one. */
export const openWeb = async (
  rooms: GuardedRoom[],
  { findSession = async () => undefined, findSender = async () => undefined, onRoute = () => {} }: Given = {},
): Promise<FastifyInstance> => {
  const pagesFolder = mkdtempSync(join(tmpdir(), 'posthorn-pages-'));
  writeFileSync(join(pagesFolder, 'index.html'), '<html></html>');
  const publicUrl = 'http://127.0.0.1:3000';
  const app = await buildApp({
    log: openLog({ level: 'silent' }),
    trustProxy: [],
    publicUrl,
    metricsToken: undefined,
    gauges: [],
    checkReady: async () => {},
  });
  onTestFinished(async () => {
    await app.close();
    rmSync(pagesFolder, { recursive: true });
  });
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) onRoute(`${one} ${url}`);
  });
  await addWeb(app, {
    rooms,
    findSession,
    findSender,
    roleOf: async () => undefined,
    limits: { consume: async () => {} } as unknown as GuardDeps['limits'],
    audit: { read: async () => {}, ask: async () => ({ entryId: '1', end: async () => {} }) },
    mailboxToken: '',
    pagesFolder,
    paymentsHosts: false,
    version: '0.0.0',
    publicUrl,
    callLog: { add: () => {} },
    loop: { isBusy: () => false },
  });
  await app.after();
  return app;
};
