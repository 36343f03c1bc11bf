import { randomInt } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { modemAnswers } from './modem-answers.ts';
import { chooseFault, type ModemBehaviour, refusalOf, USUAL_BEHAVIOUR } from './modem-behaviour.ts';
import { openFacts } from './modem-facts.ts';
import { type ModemMemory, newMemory } from './modem-memory.ts';
import { lengthOf, readSubmit, type Submitted, writeDelivers, writeReport } from './modem-pdu.ts';
import { openPty } from './pty.ts';

export interface ModemEmulator {
  name: string;
  /** The device that programs open. */
  path: string;
  /** The file of facts. */
  facts: string;
  imsi: string;
  number: string;
  /** May be changed at any time. */
  behaviour: ModemBehaviour;
  /** Somebody writes to the SIM. Returns the id in the facts. */
  receive: (message: { from: string; text: string }) => string;
  /** Puts a PDU into its store, without a word. */
  keep: (hex: string) => void;
  /** The network reports on a part. */
  report: (report: { reference: number; to: string; status: number }) => void;
  /** Commands that it did not know. */
  strange: string[];
  /** What lies in its store. */
  stored: () => number;
  close: () => void;
}

const CTRL_Z = '\x1a';
const ESCAPE = '\x1b';
const ACKNOWLEDGE_MS = 5_000;
const WAIT_FOR_ROOM_MS = 200;

interface ModemPlan {
  folder: string;
  name: string;
  imsi: string;
  number: string;
  behaviour?: Partial<ModemBehaviour>;
}

/** A GSM modem in PDU mode at a pseudo-terminal, with a network behind it. */
export const startModem = ({ folder, name, imsi, number, behaviour: given }: ModemPlan): ModemEmulator => {
  const behaviour: ModemBehaviour = { ...USUAL_BEHAVIOUR, ...given };
  const path = join(folder, name);
  const factsPath = join(folder, `${name}.facts`);
  const facts = openFacts(factsPath);
  const pty = openPty();
  rmSync(path, { force: true });
  symlinkSync(pty.path, path);
  const memory: ModemMemory = newMemory();
  const strange: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let reference = randomInt(256);
  let concatenation = randomInt(256);
  let incoming = 0;
  /** Octets of the PDU that follows a prompt. */
  let expected: number | undefined;
  let input = '';
  /** Reports that the network keeps until the last one is acknowledged. */
  const unacknowledged: string[] = [];

  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const say = (...lines: string[]): void => pty.write(lines.map((line) => `\r\n${line}\r\n`).join(''));
  const fail = (code: number): void => say(memory.numericErrors ? `+CMS ERROR: ${code}` : 'ERROR');

  /** A full store takes nothing: the network tries again. */
  const keep = (hex: string, announcement: string, into: ModemMemory['chosen'] = 'SM'): void => {
    const store = memory.stores[into];
    let index = 1;
    while (store.has(index)) index++;
    if (index > behaviour.capacity) {
      later(WAIT_FOR_ROOM_MS, () => keep(hex, announcement, into));
      return;
    }
    store.set(index, { hex, read: false });
    if (announcement) say(`${announcement}: "${into}",${index}`);
  };
  const giveReport = (hex: string): void => {
    if (memory.reports !== 1) {
      keep(hex, memory.reports === 2 ? '+CDSI' : '', behaviour.reportMemory ?? 'SM');
      return;
    }
    if (!memory.acknowledged) {
      say(`+CDS: ${lengthOf(hex)}`);
      pty.write(`${hex}\r\n`);
      return;
    }
    unacknowledged.push(hex);
    if (unacknowledged.length === 1) offerReport();
  };
  const offerReport = (): void => {
    const [hex] = unacknowledged;
    if (!hex) return;
    if (memory.reports !== 1) {
      unacknowledged.shift();
      keep(hex, '');
      offerReport();
      return;
    }
    say(`+CDS: ${lengthOf(hex)}`);
    pty.write(`${hex}\r\n`);
    later(ACKNOWLEDGE_MS, () => {
      if (unacknowledged[0] === hex) offerReport();
    });
  };
  const report: ModemEmulator['report'] = ({ reference: of, to, status }) => {
    facts.note({ kind: 'receipt', reference: of, to, status });
    giveReport(writeReport({ reference: of, to, at: new Date(), status }));
  };
  const reportLater = ({ to }: Submitted, of: number): void => {
    const { receipts } = behaviour;
    if (!receipts) return;
    const { delayMs, twice, status = 0 } = receipts;
    for (let time = 1; time <= (twice ? 2 : 1); time++)
      later(delayMs * time, () => report({ reference: of, to, status }));
  };

  const takePart = (hex: string, length: number): void => {
    let submitted: Submitted;
    try {
      submitted = readSubmit(hex, length);
    } catch {
      fail(304);
      return;
    }
    const fault = behaviour.registered ? chooseFault(behaviour, submitted.to) : 'no-network';
    const refusal = fault && refusalOf(fault);
    if (refusal !== undefined) {
      fail(refusal);
      return;
    }
    reference = (reference + 1) % 256;
    const of = reference;
    const isLost = fault === 'lost-answer' || fault === 'late-error';
    // The network has it from here on, whatever becomes of the modem and of who waits for its answer.
    facts.note({
      kind: 'part',
      at: Date.now(),
      ...submitted,
      reference: of,
      answer: isLost ? 'lost' : 'given',
    });
    if (submitted.receipt) reportLater(submitted, of);
    if (fault === 'late-error') fail(332);
    if (!isLost) later(behaviour.latencyMs, () => say(`+CMGS: ${of}`, 'OK'));
  };
  const answers = modemAnswers({ imsi, number, behaviour, memory, say, fail });
  const obey = (command: string): void => {
    const [, octets] = /^AT\+CMGS=(\d+)$/i.exec(command) ?? [];
    if (octets !== undefined) {
      if (behaviour.silent) return;
      expected = Number(octets);
      pty.write('\r\n> ');
      return;
    }
    if (/^AT\+CNMA/i.test(command)) {
      unacknowledged.shift();
      say('OK');
      offerReport();
      return;
    }
    const reached = memory.reports === 1;
    if (!answers(command)) {
      strange.push(command);
      say('ERROR');
    }
    if (!reached && memory.reports === 1) offerReport();
  };
  const take = (character: string): void => {
    if (expected !== undefined) {
      if (character === ESCAPE) {
        expected = undefined;
        input = '';
        say('OK');
      } else if (character === CTRL_Z) {
        const [hex, length] = [input.trim(), expected];
        expected = undefined;
        input = '';
        takePart(hex, length);
      } else input += character;
      return;
    }
    if (character === ESCAPE) {
      input = '';
      return;
    }
    if (character !== '\r') {
      if (character !== '\n') input += character;
      return;
    }
    const command = input.trim();
    input = '';
    if (command !== '') obey(command);
  };
  pty.onData((text) => {
    for (const character of text) {
      if (memory.echo) pty.write(character);
      take(character);
    }
  });

  return {
    name,
    path,
    facts: factsPath,
    imsi,
    number,
    behaviour,
    keep: (hex) => keep(hex, ''),
    report,
    strange,
    stored: () => memory.stores.SM.size + memory.stores.SR.size,
    receive: ({ from, text }) => {
      incoming += 1;
      concatenation = (concatenation + 1) % 256;
      const id = `${name}-in-${incoming}`;
      facts.note({ kind: 'incoming', id, from, text });
      for (const hex of writeDelivers({ from, text, at: new Date(), reference: concatenation }))
        keep(hex, memory.announce === 1 ? '+CMTI' : '');
      return id;
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      pty.close();
      facts.close();
      rmSync(path, { force: true });
    },
  };
};

/** The n-th modem has the name `modem-n`, and an IMSI and a number of its own. */
export const startModems = (
  folder: string,
  count: number,
  behaviour: Partial<ModemBehaviour> = {},
): ModemEmulator[] =>
  Array.from({ length: count }, (_, at) =>
    startModem({
      folder,
      name: `modem-${at + 1}`,
      imsi: `45400${String(1_000_000_001 + at)}`,
      number: `+8526${String(1_000_001 + at)}`,
      behaviour: structuredClone(behaviour),
    }),
  );
