import { join } from 'node:path';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { isDeviceId } from '../../contract/fleet/devices.ts';
import { MICROS_PER_UNIT } from '../../contract/ground/money.ts';
import { SIMULATED_RECIPIENTS } from '../../contract/traffic/simulator.ts';
import { findContact, isOpen, openPasswords, readEmails } from '../customer/accounts/index.ts';
import { recordContacts } from '../customer/contacts/index.ts';
import { accountsHaving, findOptedOut, readReplies } from '../customer/opt-outs/index.ts';
import { openTxtResolver } from '../customer/senders/index.ts';
import { requireRealSender } from '../customer/wallet/index.ts';
import { agentDriver, openHandOverDesk } from '../fleet/agents/index.ts';
import { CAREFUL, closeDevices, deviceMedia, openOwnDevices } from '../fleet/devices/index.ts';
import { openHttpClient } from '../ground/http-client/index.ts';
import type { Db } from '../ground/postgres/index.ts';
import { retentionRules } from '../office/retention/index.ts';
import { phoneSimulator } from '../providers/simulator/index.ts';
import { cloudMediaSources } from '../providers/whatsapp-cloud/index.ts';
import { listLentNumbers, openWaking } from '../traffic/lanes/index.ts';
import { openMediaFiles } from '../traffic/media/index.ts';
import { listNumberUsers, type ReceivedInbound } from '../traffic/outbox/index.ts';
import { openSending } from '../traffic/sending/index.ts';
import { openKeeper } from '../traffic/webhooks/index.ts';
import { deviceDrivers } from './device-drivers.ts';
import type { Ground } from './ground.ts';
import { laneProviders } from './lane-providers.ts';
import { openMadeLanes } from './made-lanes.ts';
import type { Setup } from './setup.ts';

/** What the rooms need, by room. */
export const openDeps = async ({ config, installation, publicUrl }: Setup, ground: Ground) => {
  const { db, log, key, mailboxFolder, limits, queue, receivers, processor, workshop } = ground;
  const contactOf = (accountId: AccountId) => findContact(db, accountId);
  const shared = { db, queue, limits };
  const providers = laneProviders(config, { key, publicUrl, log });
  const waking = openWaking();
  const handOvers = openHandOverDesk({ db, url: installation.url, log, publisher: ground });
  // Phones without an agent beside them are simulated.
  const phones = {
    db,
    driver: phoneSimulator({ recipients: SIMULATED_RECIPIENTS }),
    agents: agentDriver(handOvers),
  };
  const devices = {
    db,
    secretKey: key,
    drivers: deviceDrivers(config, log),
    laneProviders: providers,
    policy: CAREFUL,
    requireRealSender: (trx: Db, accountId: AccountId) =>
      requireRealSender(trx, accountId, { approval: config.REAL_SENDING === 'approved' }),
    emailsOf: (accountIds: AccountId[]) => readEmails(db, accountIds),
  };
  const madeLanes = openMadeLanes({ db, key, providers, phones, devices });
  const sources = cloudMediaSources(config, { openHttpClient });
  return {
    accounts: {
      ...shared,
      listLentNumbers,
      secretKey: key,
      passwords: openPasswords(),
      log,
      webhooks: openKeeper({ receivers }),
      closeDevices,
      processor,
      registration: config.REGISTRATION,
    },
    wallet: { ...shared, workshop, processor, hkdPerUsd: config.HKD_PER_USD, contactOf, log },
    webhooks: { ...shared, secretKey: key, receivers, contactOf },
    senders: {
      ...shared,
      secretKey: key,
      resolveTxt: openTxtResolver(),
      holdOpen: (trx: Db, accountId: AccountId) => isOpen(trx, accountId, { locked: true }),
    },
    sending: await openSending({
      ...shared,
      wake: waking.wake,
      devices: openOwnDevices({ db }),
      optOuts: { find: findOptedOut, having: accountsHaving },
      publisher: ground,
      rules: {
        approval: config.REAL_SENDING === 'approved',
        dayLimitMicros: BigInt(config.SPEND_PER_DAY) * MICROS_PER_UNIT,
        newCountries: config.NEW_COUNTRIES_PER_DAY,
      },
    }),
    media: {
      db,
      files: openMediaFiles(join(config.DATA_DIR, 'media')),
      sourceOf: async (laneName: string) =>
        sources.get(laneName) ??
        (await madeLanes.sourceOf(laneName)) ??
        (isDeviceId(laneName) ? deviceMedia(db) : undefined),
      log,
    },
    laneProviders: providers,
    waking,
    phones,
    devices,
    handOvers,
    madeLanes,
    retention: { db, mode: config.RETENTION, rules: retentionRules({ mailboxFolder }), log },
    /** An incoming message may be an opt-out, and its sender becomes a contact: in the transaction that stores it. */
    onInbound: async (trx: Db, inbounds: ReceivedInbound[]): Promise<void> => {
      const replies = inbounds.map((inbound) => ({ ...inbound, recipient: inbound.from }));
      await readReplies({ db: trx, queue, usersOf: (reply) => listNumberUsers(trx, reply) }, replies);
      // Wakes the download of media, which would otherwise start within the next minute.
      if (inbounds.some(({ content }) => content?.media)) await queue.send('media.fetch', {}, { db: trx });
      await recordContacts(
        trx,
        replies.flatMap(({ accountId, ...reply }) => (accountId ? { ...reply, accountId } : [])),
      );
    },
  };
};

export type Deps = Awaited<ReturnType<typeof openDeps>>;
