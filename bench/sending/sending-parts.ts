import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { MessageStatus } from '../../contract/traffic/messages.ts';
import { noSubscribers } from '../../server/traffic/outbox/index.ts';
import { reconcile } from '../../server/traffic/outbox/testing/index.ts';
import { insist } from '../load/insist.ts';
import { uploadCsv } from '../load/upload.ts';
import type { Scene } from './sending-scene.ts';
import { readWorth } from './sending-verdict.ts';

const LOOK_MS = 200;
const PATIENCE_MS = 240_000;
/** Of the message centre: it fails all parts of the first, and the second part of the other. */
const FAILING = ['9007', '9012'];
const UNKNOWN_MS = 3_600_000;

const numberOf = (at: number): string =>
  `8529${100 + Math.floor(at / 10)}${FAILING[at % 10] ?? `${at % 10}000`}`;
const textOf = (at: number): string => `A long one, number ${at}. `.repeat(20).trim();

interface Row {
  digits: string;
  text: string;
  status: MessageStatus;
  isUnknown: boolean;
  isDelivered: boolean;
}

const readRows = async ({ db }: Scene): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select ltrim(recipient, '+') as digits, message as text, status, delivered_at is not null as "isDelivered",
      unknown_since is not null and status <> 'SUCCESS' and status <> 'FAILED' as "isUnknown"
    from messages where message like 'A long one,%'`.execute(db);
  return rows;
};

/** What docs/MONEY.md says of a message, by what the centre has of it: all of its parts, or not all. */
const isRight = ({ digits, status, isUnknown, isDelivered }: Row, isWhole: boolean): boolean => {
  if (FAILING.some((ending) => digits.endsWith(ending)))
    return status === 'FAILED' || (isUnknown && !isWhole);
  return isWhole ? status === 'SUCCESS' && isDelivered : status === 'FAILED' || isUnknown;
};

/**
 * Long messages, while the worker and everything is killed, their receipts in the reverse order: each is what its parts
 * are, and is paid for exactly if it has not failed.
 */
export const proveParts = async (scene: Scene, count: number) => {
  const { url, plain, db, centre } = scene;
  await scene.posthorn.refill(plain);
  const worthBefore = await readWorth(scene);
  const csv = Buffer.from(
    `phone,message\n${Array.from({ length: count }, (_, at) => `+${numberOf(at)},"${textOf(at)}"\n`).join('')}`,
  );
  const before = await centre.submits();
  const { accepted } = await insist(() =>
    uploadCsv(url, { secret: plain.secret, csv, idempotencyKey: 'long-messages' }),
  );
  if (accepted !== count) throw new Error(`${accepted} of ${count} rows were accepted`);
  for (const [at, what] of (['worker', 'all'] as const).entries()) {
    const due = before + ((at + 1) * count * 3) / 3;
    for (const end = Date.now() + PATIENCE_MS; (await centre.submits()) < due && Date.now() < end; )
      await sleep(LOOK_MS / 4);
    await scene.kill(what);
  }
  const judge = async () => {
    const [rows, taken] = [await readRows(scene), await centre.taken()];
    const wrong = rows.filter((row) => !isRight(row, taken.has(`${row.digits} ${row.text}`)));
    const twice = rows.filter(({ digits, text }) => (taken.get(`${digits} ${text}`) ?? 0) > 1).length;
    return { rows, wrong, twice };
  };
  let found = await judge();
  for (
    const end = Date.now() + PATIENCE_MS;
    found.wrong.length > 0 && Date.now() < end;
    found = await judge()
  ) {
    await sleep(LOOK_MS);
    await insist(() => reconcile(db, { settledMs: 0, unknownMs: UNKNOWN_MS, publisher: noSubscribers }));
  }
  const { rows, wrong, twice } = found;
  return {
    long: rows.length,
    longFailed: rows.filter(({ status }) => status === 'FAILED').length,
    longInDoubt: rows.filter(({ isUnknown }) => isUnknown).length,
    longTwice: twice,
    longDifferent: wrong.length + (count - rows.length),
    longMissingMicros: Math.abs(Number(worthBefore - (await readWorth(scene)))),
  };
};
