import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Smsc, type SmscOptions, startSmsc, USUAL_RECEIPTS } from './smsc.ts';
import { type OraclePdu, type OracleSession, oracle } from './smsc-oracle.ts';
import { INVALID } from './smsc-validation.ts';

const TO = { dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '85261230000', source_addr: '12345' };

/** Driven by the npm package `smpp`, which is independent of our own code. */
describe('the message centre', () => {
  const opened: (() => void)[] = [];
  afterEach(() => {
    for (const close of opened.splice(0).reverse()) close();
  });

  const start = async (options: SmscOptions = {}): Promise<Smsc> => {
    const smsc = await startSmsc(options);
    opened.push(() => void smsc.close());
    return smsc;
  };
  const connect = async ({ port }: Smsc): Promise<OracleSession> => {
    const session = await new Promise<OracleSession>((resolve) => {
      const connecting: OracleSession = oracle.connect({ host: '127.0.0.1', port }, () =>
        resolve(connecting),
      );
    });
    session.on('error', () => {});
    opened.push(() => session.close());
    return session;
  };
  const bind = (session: OracleSession, password = 'secret') =>
    new Promise<OraclePdu>((resolve) =>
      session.bind_transceiver({ system_id: 'posthorn', password }, resolve),
    );
  const submit = (session: OracleSession, fields: object) =>
    new Promise<OraclePdu>((resolve) => session.submit_sm({ ...TO, ...fields }, resolve));
  const bound = async (smsc: Smsc): Promise<OracleSession> => {
    const session = await connect(smsc);
    expect(await bind(session)).toMatchObject({ command_status: 0 });
    return session;
  };

  test('checks who binds', async () => {
    const smsc = await start();
    expect(await bind(await connect(smsc), 'wrong')).toMatchObject({ command_status: 0x0e });
    expect(await submit(await connect(smsc), { short_message: 'x' })).toMatchObject({ command_status: 4 });
    await bound(smsc);
    expect(smsc.counts().binds).toBe(1);
  });

  test('counts by recipient and text', async () => {
    const smsc = await start();
    const session = await bound(smsc);
    const ids = [];
    for (const text of ['one', 'two', 'two'])
      ids.push((await submit(session, { short_message: { message: text }, data_coding: 0 })).message_id);
    expect(new Set(ids).size).toBe(3);
    expect(smsc.of({ recipient: '+85261230000', text: 'one' })).toBe(1);
    expect(smsc.of({ recipient: '+85261230000', text: 'two' })).toBe(2);
    expect(smsc.counts()).toMatchObject({ submits: 3, messages: 3, distinct: 2, repeated: 1, refused: 0 });
  });

  test('counts the parts of a long message as one, in whatever order', async () => {
    const smsc = await start();
    const session = await bound(smsc);
    for (const [number, text] of [
      [2, ' world'],
      [1, 'hello'],
    ] as const)
      await submit(session, {
        esm_class: 0x40,
        short_message: { udh: Buffer.from([5, 0, 3, 9, 2, number]), message: text },
      });
    expect(smsc.of({ recipient: '85261230000', text: 'hello world' })).toBe(1);
    expect(smsc.counts()).toMatchObject({ submits: 2, messages: 1 });
  });

  const octets = (count: number, value = 0x61) => Buffer.alloc(count, value);
  const faults: [what: string, fields: object, status: number][] = [
    ['no text', { short_message: octets(0) }, INVALID.length],
    ['too much GSM', { data_coding: 0, short_message: octets(161) }, INVALID.length],
    ['too much UCS-2', { data_coding: 8, short_message: octets(142) }, INVALID.length],
    ['half a UCS-2 unit', { data_coding: 8, short_message: octets(3) }, INVALID.length],
    ['half a surrogate pair', { data_coding: 8, short_message: Buffer.from('d83d', 'hex') }, INVALID.length],
    ['a lone escape', { data_coding: 0, short_message: Buffer.from([0x61, 0x1b]) }, INVALID.length],
    ['eight bits as GSM', { data_coding: 0, short_message: octets(3, 0xe9) }, INVALID.dataCoding],
    ['an unknown coding', { data_coding: 77, short_message: octets(3) }, INVALID.dataCoding],
    ['a bad recipient', { destination_addr: 'somebody', short_message: octets(3) }, INVALID.destination],
    ['a sender that is too long', { source_addr: '1'.repeat(21), short_message: octets(3) }, INVALID.source],
    ['a header longer than the text', { esm_class: 0x40, short_message: octets(5, 0x7f) }, INVALID.esmClass],
    ['a text twice', { short_message: octets(3), message_payload: octets(4) }, INVALID.length],
  ];
  test.each(faults)('refuses %s', async (_, fields, status) => {
    const smsc = await start();
    expect(await submit(await bound(smsc), fields)).toMatchObject({ command_status: status });
    expect(smsc.counts()).toMatchObject({ submits: 1, refused: 1, messages: 0 });
  });

  test('throttles beyond its rate', async () => {
    const smsc = await start({ behaviour: { perSecond: 5 } });
    const session = await bound(smsc);
    const said = await Promise.all(Array.from({ length: 20 }, () => submit(session, { short_message: 'x' })));
    const taken = said.filter((pdu) => pdu.command_status === 0).length;
    expect(taken).toBeGreaterThanOrEqual(5);
    expect(taken).toBeLessThanOrEqual(10);
    expect(smsc.counts().messages).toBe(taken);
  });

  test('throttles beyond its window', async () => {
    const smsc = await start({ behaviour: { window: 3, latencyMs: 300 } });
    const session = await bound(smsc);
    const said = await Promise.all(Array.from({ length: 8 }, () => submit(session, { short_message: 'x' })));
    expect(said.filter((pdu) => pdu.command_status === 0x58)).toHaveLength(5);
  });

  test('sends a receipt until it is acknowledged', async () => {
    const smsc = await start({ behaviour: { receipts: USUAL_RECEIPTS, deliverAgainMs: 10 } });
    const session = await bound(smsc);
    const texts: unknown[] = [];
    session.on('deliver_sm', (pdu) => {
      texts.push((pdu.short_message as { message: string }).message);
      const status = texts.length < 3 ? 100 : 0;
      session.send(
        new oracle.PDU('deliver_sm_resp', { sequence_number: pdu.sequence_number, command_status: status }),
      );
    });
    const { message_id } = await submit(session, { registered_delivery: 1, short_message: 'x' });
    await vi.waitFor(() => expect(smsc.counts()).toMatchObject({ acknowledged: 1, sentAgain: 2 }));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toMatch(
      new RegExp(`^id:${message_id} sub:001 dlvrd:001 .* stat:DELIVRD err:000 text:$`),
    );
  });

  test('runs as a process with a control port', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'smsc-main.ts'), '--latency', '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    opened.push(() => child.kill());
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { port, control } = JSON.parse(line) as { port: number; control: number };
    const session = await bound({ port } as Smsc).catch(() => undefined);
    if (!session) throw new Error('it could not be bound to');
    await submit(session, { short_message: { message: 'counted' }, data_coding: 0 });
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(`http://127.0.0.1:${control}${path}`, init)).json();
    expect(await ask('/counts')).toMatchObject({ submits: 1, messages: 1, binds: 1 });
    expect(await ask('/messages')).toEqual({ '85261230000 counted': 1 });
    const change = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"perSecond":0}',
    };
    expect(await ask('/behaviour', change)).toMatchObject({ perSecond: 0, latencyMs: 1 });
    expect(await submit(session, { short_message: 'x' })).toMatchObject({ command_status: 0x58 });
  });
});
