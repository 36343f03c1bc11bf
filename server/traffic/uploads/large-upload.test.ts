import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openLiveMemory } from '../../../test/live-memory.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { spoolCsv } from '../../ground/csv/index.ts';
import { receiveUpload } from './receive-upload.ts';
import { sendUpload } from './send-upload.ts';

const room = await openTestMessages();
await room.addLane({ name: 'sms', channel: 'sms' });
// A segment costs a dollar's ten-thousandth.
await sql`update prices set unit_micros = 100 where channel = 'sms' and country = 'HK'`.execute(room.db);
const deps = await room.open();
const folder = await mkdtemp(join(tmpdir(), 'posthorn-uploads-'));
afterAll(async () => {
  await rm(folder, { recursive: true });
  await room.close();
});

const ROWS = 200_000;
const PER_CHUNK = 2_000;
const MAX_GROWTH_BYTES = 60 * 1024 * 1024;

/** 40 MB, never in memory as a whole; every tenth row is refused. */
async function* file(): AsyncGenerator<Buffer> {
  yield Buffer.from('phone,name,message\n');
  for (let start = 0; start < ROWS; start += PER_CHUNK)
    yield Buffer.from(
      Array.from({ length: PER_CHUNK }, (_, at) => {
        const row = start + at;
        return `${row % 10 === 0 ? 'x' : 61_000_000 + row},Name ${row},"Dear {{name}}, ${'this is a long text. '.repeat(7)}"\n`;
      }).join(''),
    );
}

test('memory does not grow with the file, neither while it is checked nor while it is sent', {
  timeout: 600_000,
}, async () => {
  const accountId = await room.funded(100);
  const sender = { accountId, test: false };
  const memory = openLiveMemory(MAX_GROWTH_BYTES);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, memory.grownBytes());
  }, 500);
  const csv = await spoolCsv(file(), folder);
  const request = {
    sender,
    channel: 'sms' as const,
    csv,
    fileName: '',
    fields: {},
    idempotencyKey: undefined,
  };
  const { upload: checked } = await receiveUpload(deps, { ...request, send: false });
  expect(checked).toMatchObject({ rows: ROWS, accepted: ROWS * 0.9, refused: ROWS * 0.1 });
  const { upload: sent } = await sendUpload(deps, { sender, uploadId: checked.id });
  expect(sent).toMatchObject({ batchId: expect.any(String) });
  await csv.close();
  clearInterval(watch);
  expect(most).toBeLessThan(MAX_GROWTH_BYTES);
});
