import { expect, test } from 'vitest';
import { scriptedCarrier } from '../../../test/delivery.ts';
import { newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { governedCarrier } from './governed-carrier.ts';
import { CAREFUL, type GovernorFacts, timeZoneOf } from './governor.ts';

/** 10 o'clock in Hong Kong. */
const START = Date.UTC(2026, 10, 16, 2);

const open = ({ people = new Set<string>(), left = 1_000 } = {}) => {
  const { carrier, sent, script } = scriptedCarrier();
  const facts: GovernorFacts = {
    timeZone: timeZoneOf('HK'),
    pairedMs: START,
    day: '',
    sent: 0,
    newContacts: 0,
    lastMs: null,
    draw: 0,
    warnedUntilMs: null,
  };
  const clock = { nowMs: START };
  const days = { sent: 0, newContacts: 0 };
  const database = { away: '' };
  const ask = (name: string): void => {
    if (database.away === name) throw new Error('the database is away');
  };
  const governed = governedCarrier(carrier, {
    policy: CAREFUL,
    facts,
    isNew: async (recipient) => {
      ask('isNew');
      return !people.has(recipient);
    },
    take: async ({ isNew, budget }) => {
      ask('take');
      if (days.sent >= Math.min(left, budget.mostSent)) return undefined;
      days.sent += 1;
      days.newContacts += isNew ? 1 : 0;
      return days;
    },
    giveBack: async ({ isNew }) => {
      ask('giveBack');
      days.sent -= 1;
      days.newContacts -= isNew ? 1 : 0;
    },
    now: () => clock.nowMs,
    random: () => 0,
  });
  return { governed, sent, clock, facts, script, database, days };
};

test('strangers beyond the budget are put off until tomorrow, and those whom it knows are still written to', async () => {
  const { governed, sent, clock } = open({ people: new Set(['+85261110000']) });
  for (let at = 0; at < 5; at += 1) {
    clock.nowMs += 60_000;
    expect(await governed.send(newOutgoing({ recipient: `+8526111100${at}` }))).toMatchObject({
      outcome: 'accepted',
    });
  }
  clock.nowMs += 60_000;
  expect(await governed.send(newOutgoing({ recipient: '+85261119999' }))).toMatchObject({
    outcome: 'refused',
    retryable: true,
    code: 'DEVICE_NEW_CONTACTS',
    notBefore: new Date(Date.UTC(2026, 10, 17)),
  });
  expect(governed.gate?.room(clock.nowMs)).toBe(1);
  expect(await governed.send(newOutgoing({ recipient: '+85261110000' }))).toMatchObject({
    outcome: 'accepted',
  });
  expect(sent).toHaveLength(6);
});

test('while one is on its way to the day there is no room for the next, which would only be given back', async () => {
  const { governed, clock, script } = open({ people: new Set(['+85261110000']) });
  const room: (number | undefined)[] = [];
  script.answer = ({ id }) => {
    room.push(governed.gate?.room(clock.nowMs));
    return { outcome: 'accepted', providerMessageId: id };
  };
  const sending = governed.send(newOutgoing({ recipient: '+85261110000' }));
  room.push(governed.gate?.room(clock.nowMs));
  await sending;
  expect(room).toEqual([0, 0]);
  expect(governed.gate?.freeAt(clock.nowMs)).toBeGreaterThan(clock.nowMs);
});

test('what reached nobody and is tried again uses up nothing of the day', async () => {
  const { governed, clock, script, facts } = open();
  script.answer = () => ({
    outcome: 'refused',
    code: 'DEVICE_FILE_NOT_FETCHED',
    reason: 'The image: no such host.',
    retryable: true,
  });
  for (let at = 0; at < 10; at += 1) {
    clock.nowMs += 60_000;
    expect(await governed.send(newOutgoing({ recipient: '+85261111001' }))).toMatchObject({
      code: 'DEVICE_FILE_NOT_FETCHED',
    });
  }
  expect(facts).toMatchObject({ sent: 0, newContacts: 0 });
});

test.each(['isNew', 'take'])(
  'while the database does not answer %s, nothing is sent: it is refused for now',
  async (away) => {
    const { governed, sent, clock, database, facts } = open();
    database.away = away;
    clock.nowMs += 60_000;
    const message = newOutgoing({ recipient: '+85261111001' });
    expect(await governed.send(message)).toMatchObject({
      outcome: 'refused',
      retryable: true,
      code: 'DEVICE_UNCOUNTED',
    });
    expect(sent).toEqual([]);
    expect(facts).toMatchObject({ sent: 0, newContacts: 0 });
    database.away = '';
    expect(await governed.send(message)).toMatchObject({ outcome: 'accepted' });
  },
);

test('a refusal stays certain where its message can’t be given back to the day', async () => {
  const { governed, clock, database, facts, days, script } = open();
  database.away = 'giveBack';
  script.answer = () => ({ outcome: 'refused', code: 'E_LOOKUP', reason: '', retryable: true });
  clock.nowMs += 60_000;
  expect(await governed.send(newOutgoing({ recipient: '+85261111001' }))).toMatchObject({
    outcome: 'refused',
    code: 'E_LOOKUP',
  });
  expect(facts).toMatchObject({ sent: 1, newContacts: 1 });
  expect(days).toEqual({ sent: 1, newContacts: 1 });
});

test('while all have to wait, the lane claims nothing and knows until when', async () => {
  const { governed, clock, facts } = open();
  await governed.send(newOutgoing({ recipient: '+85261110000' }));
  expect(governed.gate?.room(clock.nowMs)).toBe(0);
  expect(governed.gate?.freeAt(clock.nowMs)).toBe(START + CAREFUL.pauseMs[0]);
  facts.warnedUntilMs = START + 3_600_000;
  expect(governed.gate?.freeAt(clock.nowMs)).toBe(START + 3_600_000);
  clock.nowMs = START + 3_600_000;
  expect(governed.gate?.room(clock.nowMs)).toBe(1);
});

test('what another worker took out of the budget counts, although this one did not know of it', async () => {
  const { governed, sent, clock } = open({ left: 1, people: new Set(['a', 'b']) });
  await governed.send(newOutgoing({ recipient: 'a' }));
  clock.nowMs += 60_000;
  expect(await governed.send(newOutgoing({ recipient: 'b' }))).toMatchObject({ code: 'DEVICE_WARM_UP' });
  expect(governed.gate?.room(clock.nowMs)).toBe(0);
  expect(sent).toHaveLength(1);
});
