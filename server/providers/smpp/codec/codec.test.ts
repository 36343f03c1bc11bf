import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentation } from '../../../../contract/traffic/segments.ts';
import { type OraclePdu, oracle } from '../../../../test/emulators/smsc/smsc-oracle.ts';
import { COMMAND, HEADER_OCTETS, MAX_PDU_OCTETS, TLV } from './commands.ts';
import { decodeOctets } from './decode-content.ts';
import { encodeText } from './encode-text.ts';
import { decodeGsm, encodeGsm } from './gsm-alphabet.ts';
import { readSmppMessage } from './message-reader.ts';
import { PduReader, readMessageId } from './pdu-reader.ts';
import { type MessageFields, PduWriter } from './pdu-writer.ts';

const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà\f^{}\\[~]|€';

const digits = fc.stringMatching(/^\d{0,20}$/);
const address = fc.record({ ton: fc.nat(6), npi: fc.nat(18), digits });
const octet = fc.nat(255);
const octets = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => Buffer.from(bytes));
const fields: fc.Arbitrary<MessageFields> = fc.record({
  source: address,
  destination: address,
  esmClass: fc.constant(0),
  registeredDelivery: octet,
  // The oracle turns content of other codings into text.
  dataCoding: fc.constant(4),
  content: octets(254),
  asPayload: fc.boolean(),
});
const sequence = fc.integer({ min: 1, max: 0x7fffffff });

const written = (write: (writer: PduWriter) => void): Buffer => {
  const writer = new PduWriter();
  write(writer);
  return Buffer.from(writer.take());
};
const contentOf = (pdu: OraclePdu, field: string): Buffer =>
  Buffer.from((pdu[field] as { message: Buffer }).message);

describe("what we write is what the library 'smpp' reads", () => {
  test.each([
    ['submit_sm', COMMAND.submitSm],
    ['deliver_sm', COMMAND.deliverSm],
  ] as const)('%s', (command, id) => {
    fc.assert(
      fc.property(fields, sequence, (message, number) => {
        const pdu = new oracle.PDU(written((writer) => writer.message(id, number, message)));
        expect(pdu).toMatchObject({
          command,
          sequence_number: number,
          source_addr_ton: message.source.ton,
          source_addr_npi: message.source.npi,
          source_addr: message.source.digits,
          dest_addr_ton: message.destination.ton,
          dest_addr_npi: message.destination.npi,
          destination_addr: message.destination.digits,
          registered_delivery: message.registeredDelivery,
          data_coding: message.dataCoding,
        });
        const field = message.asPayload ? 'message_payload' : 'short_message';
        expect(contentOf(pdu, field).equals(Buffer.from(message.content))).toBe(true);
      }),
    );
  });

  test('bind_transceiver', () => {
    const bind = { systemId: 'user', password: 'secret', systemType: 'SMPP' };
    expect(new oracle.PDU(written((writer) => writer.bindTransceiver(7, bind)))).toMatchObject({
      command: 'bind_transceiver',
      sequence_number: 7,
      system_id: 'user',
      password: 'secret',
      system_type: 'SMPP',
      interface_version: 0x34,
    });
  });

  test.each([
    ['enquire_link', COMMAND.enquireLink, 0],
    ['enquire_link_resp', COMMAND.enquireLinkResp, 0],
    ['unbind', COMMAND.unbind, 0],
    ['unbind_resp', COMMAND.unbindResp, 0],
    ['generic_nack', COMMAND.genericNack, 3],
    ['deliver_sm_resp', COMMAND.deliverSmResp, 100],
  ] as const)('%s', (command, id, status) => {
    const pdu = new oracle.PDU(written((writer) => writer.plain(id, status, 42)));
    expect(pdu).toMatchObject({
      command,
      command_status: status,
      sequence_number: 42,
      command_length: HEADER_OCTETS,
    });
  });

  test.each([
    ['submit_sm_resp', COMMAND.submitSmResp, 'message_id'],
    ['deliver_sm_resp', COMMAND.deliverSmResp, 'message_id'],
    ['bind_transceiver_resp', COMMAND.bindTransceiverResp, 'system_id'],
  ] as const)('%s', (command, id, field) => {
    const pdu = new oracle.PDU(written((writer) => writer.answer(id, 9, 'abc-123')));
    expect(pdu).toMatchObject({ command, sequence_number: 9, [field]: 'abc-123' });
  });
});

describe("what the library 'smpp' writes is what we read", () => {
  test.each(['submit_sm', 'deliver_sm'])('%s', (command) => {
    fc.assert(
      fc.property(fields, sequence, (message, number) => {
        const pdu = new oracle.PDU(command, {
          sequence_number: number,
          source_addr_ton: message.source.ton,
          source_addr_npi: message.source.npi,
          source_addr: message.source.digits,
          dest_addr_ton: message.destination.ton,
          dest_addr_npi: message.destination.npi,
          destination_addr: message.destination.digits,
          registered_delivery: message.registeredDelivery,
          data_coding: message.dataCoding,
          validity_period: '000002000000000R',
          short_message: Buffer.from(message.content),
          receipted_message_id: 'x1',
          message_state: 2,
        }).toBuffer();
        expect(readSmppMessage(pdu, HEADER_OCTETS, pdu.length)).toEqual({
          serviceType: '',
          source: message.source,
          destination: message.destination,
          esmClass: 0,
          protocolId: 0,
          priority: 0,
          scheduledFor: '',
          validUntil: '000002000000000R',
          registeredDelivery: message.registeredDelivery,
          replaceIfPresent: 0,
          dataCoding: message.dataCoding,
          defaultMessage: 0,
          content: Buffer.from(message.content),
          tlvs: new Map([
            [TLV.receiptedMessageId, Buffer.from('x1\0')],
            [TLV.messageState, Buffer.from([2])],
          ]),
          brokenEnd: false,
        });
      }),
    );
  });

  test('submit_sm_resp', () => {
    const pdu = new oracle.PDU('submit_sm_resp', { sequence_number: 5, message_id: 'ff00' }).toBuffer();
    expect(readMessageId(pdu, HEADER_OCTETS, pdu.length)).toBe('ff00');
  });
});

describe('texts', () => {
  const gsmText = fc.string({ unit: fc.constantFrom(...GSM), maxLength: 700 });

  test("the GSM alphabet is the oracle's, both ways", () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        const short = text.slice(0, 100);
        const pdu = new oracle.PDU('submit_sm', {
          short_message: { message: short },
          data_coding: 0,
        }).toBuffer();
        const content = readSmppMessage(pdu, HEADER_OCTETS, pdu.length)?.content ?? Buffer.alloc(0);
        expect(content.equals(encodeGsm(short) ?? Buffer.alloc(0))).toBe(true);
        expect(decodeGsm(content)).toBe(short);
      }),
    );
  });

  test('every character of the alphabet survives', () => {
    for (const character of GSM) expect(decodeGsm(encodeGsm(character) ?? Buffer.alloc(0))).toBe(character);
    expect(encodeGsm('\x1b')).toBeUndefined();
    expect(encodeGsm('`')).toBeUndefined();
  });

  const anyText = fc.oneof(
    gsmText,
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: fc.constantFrom('a', '€', '{', '字', '😀', '👩‍👩‍👧'), maxLength: 400 }),
  );
  test('there are as many parts as segments are counted, none too long, and together they are the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { segments, encoding } = segmentation(text);
        const { dataCoding, parts } = encodeText(text, { whole: false });
        if (segments > 0) expect(parts).toHaveLength(segments);
        expect(dataCoding).toBe(encoding === 'GSM' ? 0 : 8);
        expect(decodeOctets(Buffer.concat(parts), dataCoding)).toBe(text);
        // Each part is a text of its own: nothing was cut in half.
        expect(parts.map((part) => decodeOctets(part, dataCoding)).join('')).toBe(text);
        const limit = encoding === 'GSM' ? [160, 153] : [140, 134];
        for (const part of parts)
          expect(part.length).toBeLessThanOrEqual(limit[parts.length > 1 ? 1 : 0] ?? 0);
        for (const part of parts) {
          const cut = decodeOctets(part, dataCoding);
          if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [3, Buffer.from('caf\xe9', 'latin1'), 'café'],
    [1, Buffer.from('plain'), 'plain'],
    [0, Buffer.from([0x00, 0x1b, 0x65, 0x11]), '@€_'],
    [0, Buffer.from([0x1b]), ' '],
    [8, Buffer.from([0x4f, 0x60, 0x59]), '你'],
    [6, Buffer.from([0xbf, 0xe0]), 'Пр'],
    [0xf0, Buffer.from([0x1b, 0x65]), '€'],
    [0xf4, Buffer.from([0xe9]), 'é'],
    [0x18, Buffer.from([0x4f, 0x60]), '你'],
    [0x10, Buffer.from([0x02]), '$'],
  ])('data_coding %i', (dataCoding, content, text) => {
    expect(decodeOctets(content, dataCoding)).toBe(text);
  });
});

describe('the stream', () => {
  const pdus = (chunks: Buffer[]): { seen: string[]; readable: boolean } => {
    const reader = new PduReader();
    const seen: string[] = [];
    const readable = chunks.every((chunk) =>
      reader.push(chunk, (command, status, number, block, start, end) => {
        seen.push(`${command} ${status} ${number} ${block.toString('hex', start, end)}`);
      }),
    );
    return { seen, readable };
  };
  const cutAt = (stream: Buffer, cuts: number[]): Buffer[] => {
    const ends = [...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
    return ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end));
  };

  test('however it is cut, the same PDUs come out', () => {
    const many = fc.array(fc.tuple(fields, sequence), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(many, fc.array(fc.nat(5_000), { maxLength: 20 }), (messages, cuts) => {
        const stream = written((writer) => {
          for (const [message, number] of messages) writer.message(COMMAND.submitSm, number, message);
        });
        const whole = pdus([stream]);
        expect(whole.seen).toHaveLength(messages.length);
        expect(pdus(cutAt(stream, cuts))).toEqual(whole);
      }),
    );
  });

  test('more than a block at once is written in order', () => {
    const message = { ton: 1, npi: 1, digits: '85261230000' };
    const stream = written((writer) => {
      for (let number = 1; number <= 5_000; number++)
        writer.message(COMMAND.submitSm, number, {
          source: message,
          destination: message,
          esmClass: 0,
          registeredDelivery: 1,
          dataCoding: 0,
          content: Buffer.from('x'.repeat(100)),
          asPayload: false,
        });
    });
    const numbers = pdus([stream]).seen.map((line) => Number(line.split(' ')[2]));
    expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
  });

  test('garbage is either read as PDUs or given up, and never throws', () => {
    fc.assert(
      fc.property(fc.array(octets(300), { maxLength: 10 }), (chunks) => {
        const reader = new PduReader();
        for (const chunk of chunks)
          if (
            !reader.push(chunk, (_command, _status, _number, block, start, end) =>
              readSmppMessage(block, start, end),
            )
          )
            break;
      }),
      { numRuns: 500 },
    );
  });

  test.each([0, 4, 15, MAX_PDU_OCTETS + 1, 0x7fffffff, 0xffffffff])(
    'a length of %i is given up',
    (length) => {
      const header = Buffer.alloc(HEADER_OCTETS);
      header.writeUInt32BE(length, 0);
      expect(pdus([header])).toEqual({ seen: [], readable: false });
    },
  );

  test('a body that is cut anywhere, or changed anywhere, is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fields, fc.nat(400), fc.nat(400), octet, (message, cut, at, value) => {
        const pdu = written((writer) => writer.message(COMMAND.deliverSm, 1, message));
        const broken = Buffer.from(pdu.subarray(0, Math.max(HEADER_OCTETS, pdu.length - cut)));
        if (HEADER_OCTETS + at < broken.length) broken[HEADER_OCTETS + at] = value;
        readSmppMessage(broken, HEADER_OCTETS, broken.length);
      }),
      { numRuns: 500 },
    );
  });
});
