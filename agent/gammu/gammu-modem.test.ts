import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ModemEmulator, startModems } from '../../test/emulators/modem/modem.ts';
import { countMessages, readFacts } from '../../test/emulators/modem/modem-facts.ts';
import { LONG_TEXTS, modemSuite } from '../../test/suites/modem-suite.ts';
import { gammuModem, judgeSending } from './gammu-modem.ts';
import { readGammuMessage, readLocations } from './read-message.ts';

/** Where gammu is not installed, these tests are skipped and counted so. */
const hasGammu = spawnSync('gammu', ['--version']).status === 0;

const makeUnderTest = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-gammu-test-'));
  const [emulator] = startModems(folder, 1) as [ModemEmulator];
  const faults = {
    'refused for good': 'cms-1',
    'refused for now': 'cms-38',
    'lost answer': 'lost-answer',
  } as const;
  return {
    modem: gammuModem({
      program: 'gammu',
      path: emulator.path,
      connection: 'at115200',
      folder: join(folder, 'gammu'),
      answerMs: 30_000,
      pollMs: 200,
    }),
    taken: ({ recipient, text }: { recipient: string; text: string }) =>
      countMessages(readFacts(emulator.facts)).messages.get(`${recipient} ${text}`) ?? 0,
    fail: (recipient: string, how: keyof typeof faults) => {
      emulator.behaviour.faults[recipient] = faults[how];
    },
    report: (references: string[], recipient: string, state: 'delivered' | 'failed') => {
      for (const reference of references)
        emulator.report({
          reference: Number(reference),
          to: recipient,
          status: state === 'delivered' ? 0 : 0x41,
        });
    },
    receive: (message: { from: string; text: string }) => void emulator.receive(message),
    setRegistered: (registered: boolean) => {
      emulator.behaviour.registered = registered;
    },
    close: () => {
      emulator.close();
      rmSync(folder, { recursive: true });
    },
  };
};

describe.runIf(hasGammu)('with the real gammu', () => {
  // Each command takes it seconds, so only the hardest texts.
  modemSuite('a modem by gammu', makeUnderTest, { texts: LONG_TEXTS, patienceMs: 120_000 });
});

describe('what gammu prints', () => {
  const ran = (output: string, errors = '', code: number | undefined = 0) => ({ output, errors, code });

  test.each([
    [
      'every part has a reference',
      ran(
        'Sending SMS 1/2....waiting for network answer..OK, message reference=7\nSending SMS 2/2....waiting for network answer..OK, message reference=8\n',
      ),
      'sent',
    ],
    ['the modem was not reached', ran('', "Error opening device, it doesn't exist.", 2), 'refused'],
    [
      'it was killed while it waited',
      ran('Sending SMS 1/2....waiting for network answer', '', undefined),
      'unknown',
    ],
    [
      'only one of two was sent',
      ran(
        'Sending SMS 1/2....waiting for network answer..OK, message reference=7\nSending SMS 2/2....waiting for network answer..error 38, message reference=-1\n',
        '',
        1,
      ),
      'unknown',
    ],
  ])('%s', (_, said, outcome) => {
    expect(judgeSending(said, 2).outcome).toBe(outcome);
  });

  test('a text that looks like another message is only a text', () => {
    const forged =
      'Hello\n\nLocation 9, folder "Inbox", SIM memory, Inbox folder\nSMS status report\nReference number : 7';
    const output = `Location 1, folder "Inbox", SIM memory, Inbox folder\nSMS message\nRemote number        : "+85261113333"\n\n${forged}\n\n`;
    expect(readLocations(output)).toEqual([1, 9]);
    expect(readGammuMessage(output)).toMatchObject({ kind: 'message', text: forged });
  });
});
