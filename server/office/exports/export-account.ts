import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { type ProfileDeps, readProfile } from '../../customer/accounts/index.ts';
import { exportContacts } from '../../customer/contacts/index.ts';
import { exportOptOuts } from '../../customer/opt-outs/index.ts';
import { listSendersOf } from '../../customer/senders/index.ts';
import { ledgerLines, listCardFacts, paymentsCsv, type WalletDeps } from '../../customer/wallet/index.ts';
import { listDeviceFacts } from '../../fleet/devices/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { text } from '../../ground/translations/index.ts';
import { listStoredMedia, type MediaFiles } from '../../traffic/media/index.ts';
import { exportedFiles, messageLines, type PartSize } from '../../traffic/messages/index.ts';
import { webhooksJson } from '../../traffic/webhooks/index.ts';
import { listVisits } from '../audit/index.ts';
import { giveBackLease, renewLease, takeLease } from './store.ts';
import { type ZipEntry, zip } from './zip.ts';

export interface ExportsDeps {
  profile: ProfileDeps;
  wallet: WalletDeps;
  media: MediaFiles;
  /** The most rows in one file of a list; as many as spreadsheets read, unless given. */
  partSize?: PartSize;
}

/** A download that stalls for this long, or whose process died, no longer blocks another one. */
const LEASE_SECONDS = 120;
const RENEW_AFTER_MS = 20_000;
/** More than admins make in years. */
const MOST_VISITS = 100_000;

interface Wanted {
  accountId: AccountId;
  language: Language;
}

const json = (value: unknown): string[] => [`${JSON.stringify(value, null, 2)}\n`];

const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(-80);

/** Spreadsheets read about a million rows, so a longer list is split into several files. */
async function* inParts(
  name: string,
  pieces: AsyncIterable<string[]>,
  size: PartSize | undefined,
): AsyncGenerator<ZipEntry> {
  for await (const { number, lines } of exportedFiles(pieces, size))
    yield { name: number === 1 ? `${name}.csv` : `${name}-${number}.csv`, content: lines };
}

/** All data of an account except secrets. */
async function* entriesOf(
  { profile: profileDeps, wallet, media, partSize }: ExportsDeps,
  { accountId, language }: Wanted,
): AsyncGenerator<ZipEntry> {
  const { db } = wallet;
  yield { name: 'README.txt', content: [text(language, 'export.readme')] };
  const profile = await readProfile(profileDeps, accountId, language);
  const contact = await wallet.contactOf(accountId);
  yield {
    name: 'profile.json',
    content: json({
      ...profile,
      language: contact?.language,
      timeZone: contact?.timeZone,
      cards: await listCardFacts(db, accountId),
      senders: await listSendersOf(db, accountId),
    }),
  };
  yield* inParts('messages', messageLines(db, accountId), partSize);
  yield* inParts('ledger', await ledgerLines(wallet, { accountId, language }), partSize);
  yield { name: 'payments.csv', content: paymentsCsv(db, { accountId, language }) };
  yield { name: 'contacts.csv', content: exportContacts({ db }, { accountId, language }) };
  yield { name: 'opt-outs.csv', content: exportOptOuts({ db }, { accountId, language }) };
  yield { name: 'webhooks.json', content: webhooksJson(db, accountId) };
  yield { name: 'devices.json', content: json(await listDeviceFacts(db, accountId)) };
  yield { name: 'visits.json', content: json(await listVisits(db, accountId, MOST_VISITS)) };
  for await (const { id, fileName: name } of listStoredMedia(db, accountId)) {
    const file = await media.read(id);
    if (file) yield { name: `media/${id}${name && `-${fileName(name)}`}`, content: file.body };
  }
}

/** Renews the lease while the export runs. */
async function* leased(
  deps: ExportsDeps,
  lease: { accountId: AccountId; exportId: string; seconds: number },
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { db } = deps.wallet;
  let renewedAt = performance.now();
  try {
    for await (const piece of pieces) {
      yield piece;
      if (performance.now() - renewedAt < RENEW_AFTER_MS) continue;
      renewedAt = performance.now();
      if (!(await renewLease(db, lease))) throw new Error('another export has taken over');
    }
  } finally {
    await giveBackLease(db, lease);
  }
}

/** Page by page as it is read: memory does not grow with it. One at a time per account. */
export const exportAccount = async (deps: ExportsDeps, wanted: Wanted): Promise<Readable> => {
  const lease = { accountId: wanted.accountId, exportId: randomUUID(), seconds: LEASE_SECONDS };
  if (!(await takeLease(deps.wallet.db, lease))) throw new DomainError('E_EXPORT_RUNNING');
  const pieces = leased(deps, lease, zip(entriesOf(deps, wanted), { at: new Date() }));
  const archive = Readable.from(pieces, { objectMode: false });
  // If nobody began to read, the generator never ran and can't release the lease; a failure here ends with the lease.
  archive.once('close', () => void giveBackLease(deps.wallet.db, lease).catch(() => {}));
  return archive;
};
