import { join } from 'node:path';
import type { AccountId } from '../../contract/accounts.ts';
import { SIMULATED_RECIPIENTS } from '../../contract/simulator.ts';
import { findContact, openPasswords } from '../accounts/index.ts';
import { noteMeetings } from '../contacts/index.ts';
import { openHttpClient } from '../http-client/index.ts';
import { wakeLanes } from '../lanes/index.ts';
import { openMediaFiles } from '../media/index.ts';
import { accountsHaving, findOptedOut, readReplies } from '../opt-outs/index.ts';
import type { StoredInbound } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import { phoneSimulator } from '../providers/simulator/index.ts';
import { cloudMediaSources } from '../providers/whatsapp-cloud/index.ts';
import { retentionRules } from '../retention/index.ts';
import { openSending } from '../sending/index.ts';
import { openKeeper } from '../webhooks/index.ts';
import type { Ground } from './ground.ts';
import { laneProviders } from './lane-providers.ts';
import { openMadeLanes } from './made-lanes.ts';
import type { Setup } from './setup.ts';

/** What the rooms need, by room. */
export const openDeps = async ({ config, publicUrl }: Setup, ground: Ground) => {
  const { db, log, key, mailboxFolder, limits, queue, receivers, processor, workshop } = ground;
  const contactOf = (accountId: AccountId) => findContact(db, accountId);
  const shared = { db, queue, limits };
  const providers = laneProviders(config, { key, publicUrl, log });
  // Until there is an agent beside real phones, they are simulated.
  const phones = { db, driver: phoneSimulator({ recipients: SIMULATED_RECIPIENTS }) };
  const madeLanes = openMadeLanes({ db, key, providers, phones });
  const sources = cloudMediaSources(config, { openHttpClient });
  return {
    accounts: {
      ...shared,
      secretKey: key,
      passwords: openPasswords(),
      log,
      webhooks: openKeeper({ receivers }),
      processor,
    },
    wallet: { ...shared, workshop, processor, hkdPerUsd: config.HKD_PER_USD, contactOf, log },
    webhooks: { ...shared, secretKey: key, receivers, contactOf },
    messages: await openSending({
      db,
      queue,
      wake: wakeLanes,
      optOuts: { find: findOptedOut, having: accountsHaving },
      publisher: ground,
    }),
    media: {
      db,
      files: openMediaFiles(join(config.DATA_DIR, 'media')),
      sourceOf: async (laneName: string) => sources.get(laneName) ?? madeLanes.sourceOf(laneName),
      log,
    },
    laneProviders: providers,
    phones,
    madeLanes,
    retention: { db, mode: config.RETENTION, rules: retentionRules({ mailboxFolder }), log },
    /** An incoming message may be an opt-out, and its sender becomes a contact: in the transaction that stores it. */
    onInbound: async (trx: Db, inbounds: StoredInbound[]): Promise<void> => {
      const replies = inbounds.map(({ from, ...inbound }) => ({ ...inbound, recipient: from }));
      await readReplies({ db: trx, queue }, replies);
      await noteMeetings(trx, replies);
    },
  };
};

export type Deps = Awaited<ReturnType<typeof openDeps>>;
