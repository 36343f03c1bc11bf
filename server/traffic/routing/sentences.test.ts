import { expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { LANGUAGES, type Language } from '../../../contract/ground/constants.ts';
import { type Phrase, phraseText, text } from '../../ground/translations/index.ts';
import { explainLanes } from './explain-lanes.ts';
import { LANE_REASONS, type LaneFacts, openChooser, type RoutedMessage, type RuleCode } from './index.ts';
import { LASTING_RULES, PASSING_RULES, type Surroundings } from './rules.ts';
import { NOW_MS, testLane, testPhone } from './testing/test-lane.ts';

const ANN = 'ann' as AccountId;
const MESSAGE: RoutedMessage = { accountId: ANN, channel: 'sms', country: 'HK', test: false };
const NO_LIMITS = { tenMinutes: null, oneHour: null, eightHours: null, oneDay: null };
const NUMBER = '+85260000001';

interface Case {
  /** The first of them breaks the rule. */
  lanes: Partial<LaneFacts>[];
  message?: Partial<RoutedMessage>;
}
const alone = (...lanes: Partial<LaneFacts>[]): Case[] => lanes.map((lane) => ({ lanes: [lane] }));
/** Another can send, and this one would only wait; and then it waits in this one. */
const idle = (lane: Partial<LaneFacts>): Case[] => [{ lanes: [lane, {}] }, { lanes: [lane] }];

const CASES: Record<RuleCode, Case[]> = {
  CHANNEL: [
    ...alone({ channel: 'whatsapp' }, { channel: 'email' }),
    { lanes: [{}], message: { channel: 'email' } },
  ],
  DEVICE: [...alone({ device: 'wa-hk-aaaaaaaa' }), { lanes: [{}], message: { device: 'wa-hk-aaaaaaaa' } }],
  SIMULATOR: [...alone({ simulated: true }), { lanes: [{}], message: { test: true } }],
  MODE: alone({ mode: 'paused' }, { mode: 'draining' }, { mode: 'removed' }),
  COUNTRY: [
    ...alone({ countries: ['SG', 'MY'] }),
    { lanes: [{ countries: ['SG'] }], message: { country: '' } },
  ],
  SENDER: [
    { lanes: [{ phone: testPhone(), sender: NUMBER }], message: { from: 'ACME' } },
    { lanes: [{}, { phone: testPhone(), sender: NUMBER }], message: { from: NUMBER } },
  ],
  DEDICATED: alone({ dedicatedTo: ['bob' as AccountId] }),
  OWN_LANES: [{ lanes: [{ route: '' }, { dedicatedTo: [ANN] }] }],
  CLOSED: alone({ limits: { ...NO_LIMITS, oneDay: 0 } }),
  // It is 20 o'clock where the phones are.
  SHARED_HOURS: alone({ phone: testPhone({ sharedFrom: 0, sharedTo: 18 }) }),
  TRIED: [{ lanes: [{}], message: { tried: [1] } }],
  DOWN: idle({ up: false }),
  REJECTING: idle({ rejectingSince: new Date(NOW_MS) }),
  THROTTLE_TEN_MINUTES: idle({ limits: { ...NO_LIMITS, tenMinutes: 1 }, waiting: 1 }),
  THROTTLE_ONE_HOUR: idle({ limits: { ...NO_LIMITS, oneHour: 1 }, waiting: 1 }),
  THROTTLE_EIGHT_HOURS: idle({ limits: { ...NO_LIMITS, eightHours: 1 }, waiting: 1 }),
  THROTTLE_ONE_DAY: idle({ limits: { ...NO_LIMITS, oneDay: 1 }, waiting: 1 }),
  RECIPIENTS: idle({ phone: testPhone({ mostRecipients: 3 }), recipients: 3 }),
};

const lanesOf = (given: Partial<LaneFacts>[]): LaneFacts[] =>
  given.map((one, at) => testLane({ id: at + 1, name: `lane-${at + 1}`, ...one }));

/** The placeholders of a text, as it asks for them. */
const placeholdersOf = (language: Language, label: Phrase['label']): string[] => {
  const names: string[] = [];
  const noted = { get: (_: object, name: string) => names.push(name) };
  text(language, label, new Proxy({}, noted));
  return names;
};
/** Of a phrase, and of those that it is made of. */
const faultsOf = (language: Language, { label, values = {} }: Phrase): string[] => [
  ...(text(language, label) === `[${label}]` ? [`${label} has no text in ${language}`] : []),
  ...placeholdersOf(language, label)
    .filter((name) => [undefined, ''].includes(values[name] as string | undefined))
    .map((name) => `${label} leaves ${name} unfilled in ${language}`),
  ...Object.values(values).flatMap((value) => (typeof value === 'object' ? faultsOf(language, value) : [])),
];

test('every rule has its cases', () => {
  const codes = [...LASTING_RULES, ...PASSING_RULES].map(({ code }) => code);
  expect(codes.toSorted()).toEqual(Object.keys(CASES).toSorted());
});

test.each(Object.keys(CASES) as RuleCode[])(
  '%s is said in every language, with all it has to tell',
  (code) => {
    for (const { lanes, message } of CASES[code]) {
      const explained = openChooser(lanesOf(lanes), { nowMs: NOW_MS }).explain({ ...MESSAGE, ...message });
      expect(explained.find(({ laneId }) => laneId === 1)?.rule).toBe(code);
      for (const { sentence } of explained) {
        expect(LANGUAGES.flatMap((language) => faultsOf(language, sentence))).toEqual([]);
        expect(phraseText('zh_HK', sentence)).toMatch(/^[^a-z]*\p{Script=Han}.*。$/u);
      }
    }
  },
);

test.each(LANE_REASONS)('why a lane is chosen is said in every language: %s', (why) => {
  const lane = testLane({});
  const rule = why === 'WAITS' ? (PASSING_RULES[0] ?? null) : null;
  const [explained] = explainLanes({
    verdicts: [{ lane, rule, score: 0, worth: 0, weight: 1 }],
    around: {} as Surroundings,
    message: MESSAGE,
    chosen: { lane, why, unitCostMicros: 0n },
  });
  const { sentence } = explained as { sentence: Phrase };
  expect(sentence.label).toBe(`routing.chosen.${why}`);
  expect(LANGUAGES.flatMap((language) => faultsOf(language, sentence))).toEqual([]);
});

test('lanes that are not chosen name the one that is', () => {
  const [, equal, after] = openChooser(lanesOf([{}, {}, { preference: 200 }]), { nowMs: NOW_MS }).explain(
    MESSAGE,
  );
  const said = (language: Language) => [equal, after].map((one) => one && phraseText(language, one.sentence));
  expect(said('en_US')).toEqual([
    'It is equal to lane-1, whose turn it is.',
    'It could have the message, but lane-1 comes first.',
  ]);
  expect(said('zh_HK')).toEqual(['與 lane-1 同等，現輪到後者。', '可發送此訊息，但 lane-1 較優先。']);
});
