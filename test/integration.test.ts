import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Reply } from '../contract/calls.ts';
import { sampleCodes } from '../server/customer/integration/index.ts';
import { type Database, openDatabase } from '../server/ground/postgres/index.ts';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { clientOf, type OpenApiDocument } from './openapi-client.ts';
import { type Program, startProgram } from './program.ts';
import { canRun, runSample, signedWebhook, TOOLS, withReceiver } from './samples.ts';

let program: Program;
let folder: string;
let pool: Database['pool'];
const undo: (() => Promise<unknown>)[] = [];
let token: string;
let accountId: string;
let info: Reply<'GET /account/:accountId/apiInfo'>;

beforeAll(async () => {
  const database = await emptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'posthorn-integration-'));
  undo.push(() => rm(folder, { recursive: true, force: true }), database.drop);
  const env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  program = await startProgram({ dataDir: join(folder, 'data'), env });
  undo.push(program.stop);
  const opened = openDatabase({ url: database.url, max: 1, onError: () => {} });
  undo.push(opened.close);
  pool = opened.pool;
  const person = { email: 'samples@example.com', password: 'correct horse battery' };
  await callApi(program.url, 'POST /account/register', { body: person });
  const activation = { token: await mailedToken(program.url, person.email) };
  const { reply } = await callApi(program.url, 'POST /activate', { body: activation });
  ({ token, accountId } = reply);
  const params = { accountId };
  info = (await callApi(program.url, 'GET /account/:accountId/apiInfo', { token, params })).reply;
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const storedMessage = async (id: string) =>
  (await pool.query('select message, recipient, test from messages where id = $1', [id])).rows[0];

/** As the page does for people who want to try it: the test secret instead of the other. */
const withTestSecret = (code: string) => code.replaceAll(info.secret, info.testSecret);

test('the last name of the list of languages is one to be dropped', () => {
  const names = Object.keys(info.codes);
  expect(names.slice(0, -1)).toEqual(Object.keys(TOOLS));
  expect(names.at(-1)).toBe('');
  expect(Object.keys(info.webhookCodes)).toEqual(Object.keys(TOOLS));
});

const MESSAGE = `It's "quoted", back\\slashed & $HOME\n第二行 😀`;

describe.each(Object.entries(TOOLS))('the sample code of %s', (name, tools) => {
  const inFolder = async (part: string) => {
    const path = join(folder, name.replace('#', 'sharp'), part);
    await mkdir(path, { recursive: true });
    return path;
  };

  test('sends a message, and tells a refusal', async (context) => {
    if (!(await canRun(tools))) return context.skip(`${tools.probe[0]} is not installed`);
    const at = await inFolder('send');
    const code = withTestSecret(info.codes[name] ?? '');
    const sent = await runSample(at, tools.send, { code, arguments: ['+85261110000', MESSAGE] });
    expect(sent.stderr).toBe('');
    const answer = JSON.parse(sent.stdout);
    expect(answer).toMatchObject({ phone: '+85261110000', test: true, price: 0 });
    expect(await storedMessage(answer._id)).toEqual({
      message: MESSAGE,
      recipient: '+85261110000',
      test: true,
    });
    const refused = await runSample(at, tools.send, { code, arguments: ['12', MESSAGE] });
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('E_PHONE_INVALID');
  });

  test('sends to many by one call, and tells who was refused', async (context) => {
    if (!(await canRun(tools))) return context.skip(`${tools.probe[0]} is not installed`);
    const at = await inFolder('many');
    const code = withTestSecret(info.manyCodes[name] ?? '');
    const sent = await runSample(at, tools.many, { code, arguments: [MESSAGE, '+85261110000', '12'] });
    expect(sent.stderr).toBe('');
    const answer = JSON.parse(sent.stdout);
    expect(answer).toMatchObject({
      accepted: 1,
      refused: 1,
      messages: [{ accepted: true }, { accepted: false, code: 'E_PHONE_INVALID' }],
    });
    expect(await storedMessage(answer.messages[0]._id)).toMatchObject({ message: MESSAGE });
  });

  test('takes a genuine webhook and refuses a forged, a changed and an old one', async (context) => {
    if (!(await canRun(tools))) return context.skip(`${tools.probe[0]} is not installed`);
    const at = await inFolder('verify');
    const secret = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`;
    const { webhookCodes } = sampleCodes({ url: program.url, secret: info.secret, webhookSecret: secret });
    const code = webhookCodes[name] ?? '';
    const genuine = signedWebhook(secret, '{"type":"message.delivered","data":{"text":"你好 é"}}');
    const cases = [
      { webhook: genuine, taken: true },
      { webhook: { ...genuine, body: genuine.body.replace('delivered', 'failed') }, taken: false },
      { webhook: signedWebhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', genuine.body), taken: false },
      { webhook: signedWebhook(secret, genuine.body, new Date(Date.now() - 400_000)), taken: false },
      {
        webhook: { ...genuine, headers: { ...genuine.headers, 'webhook-id': 'msg_2' } },
        taken: false,
      },
      { webhook: { ...genuine, headers: { ...genuine.headers, 'webhook-signature': '' } }, taken: false },
      { webhook: { ...genuine, headers: { ...genuine.headers, 'webhook-timestamp': '' } }, taken: false },
    ];
    if (name === 'cURL') {
      for (const { webhook, taken } of cases) expect(await verifiesInShell(at, code, webhook)).toBe(taken);
      return;
    }
    await withReceiver(at, tools.verify, code, async (accepts) => {
      for (const { webhook, taken } of cases) expect(await accepts(webhook)).toBe(taken);
    });
  });
});

/** The shell's sample reads the body from standard input. */
const verifiesInShell = async (
  at: string,
  code: string,
  { headers, body }: ReturnType<typeof signedWebhook>,
) => {
  const given = [headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']];
  const file = {
    file: 'verify.sh',
    command: ['sh', '-c', 'printf %s "$1" | sh verify.sh "$2" "$3" "$4"', 'sh'],
  };
  const { code: ended } = await runSample(at, file, { code, arguments: [body, ...given] });
  return ended === 0;
};

describe('the OpenAPI document', () => {
  const load = async () =>
    (await (await fetch(`${program.url}/api/openapi.json`)).json()) as OpenApiDocument &
      Record<string, unknown>;

  test('is a sound document of OpenAPI 3.1, whose operations all have a name of their own', async () => {
    const document = await load();
    expect(document.openapi).toBe('3.1.0');
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(document.servers).toEqual([{ url: program.url }]);
  });

  test('is enough for a client to send a message by the secret, and to ask for one’s own things signed in', async () => {
    const call = clientOf(await load());
    const credentials = { secret: info.testSecret };
    const sent = await call('postChannelSend', {
      parameters: { channel: 'sms', 'idempotency-key': 'by the document' },
      body: { phone: '+85261110000', message: 'by the document' },
      credentials,
    });
    expect(sent.status).toBe(200);
    const answer = z.fromJSONSchema(sent.schema as never).parse(sent.body) as {
      _id: string;
      batchId: string;
    };
    expect(await storedMessage(answer._id)).toMatchObject({ message: 'by the document' });
    const { batchId } = answer;
    const seen = await call('getBatchesBatchId', { parameters: { batchId }, credentials });
    expect(z.fromJSONSchema(seen.schema as never).parse(seen.body)).toMatchObject({ total: 1 });
    const profile = await call('getAccountMeProfile', { credentials: { session: token } });
    expect(z.fromJSONSchema(profile.schema as never).parse(profile.body)).toMatchObject({ _id: accountId });
  });

  test('tells how a file is uploaded and one is downloaded', async () => {
    const call = clientOf(await load());
    const credentials = { secret: info.testSecret };
    const csv = new Blob(['phone,message\n61110000,one\n12,two\n'], { type: 'text/csv' });
    const sent = await call('postChannelCsvSend', {
      parameters: { channel: 'sms' },
      body: { csv },
      credentials,
    });
    expect(sent.status).toBe(200);
    const { _id } = z.fromJSONSchema(sent.schema as never).parse(sent.body) as { _id: string };
    const refused = await call('getUploadsUploadIdRefusedCsv', {
      parameters: { uploadId: _id },
      credentials,
    });
    expect(refused).toMatchObject({ status: 200, contentType: 'text/csv', schema: { format: 'binary' } });
    expect(refused.body).toContain('two');
  });

  test('tells how an error looks', async () => {
    const call = clientOf(await load());
    const body = { phone: '12', message: 'x' };
    const credentials = { secret: info.testSecret };
    const refused = await call('postChannelSend', { parameters: { channel: 'sms' }, body, credentials });
    expect(refused).toMatchObject({ status: 400, schema: { $ref: '#/components/schemas/Error' } });
    expect(refused.body).toMatchObject({ code: 'E_PHONE_INVALID' });
  });
});
