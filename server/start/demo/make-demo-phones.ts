import type { PhoneEdit, PhoneId } from '../../../contract/fleet/phones.ts';
import { addPhone, changePhone, type PhonesDeps, takeReports } from '../../fleet/phones/index.ts';

const DAY_MS = 86_400_000;

interface DemoPhone {
  name: string;
  edits: PhoneEdit[];
  /** What its balance was some days ago, the earliest first. */
  balances: { daysAgo: number; micros: bigint }[];
}

const numberOf = (n: number): string => `+8526000000${n}`;
const days = (count: number): string => new Date(Date.now() - count * DAY_MS).toISOString();
const units = (amount: number): bigint => BigInt(amount) * 1_000_000n;

/** A SIM with usual throttles. */
const sim = (n: number, ...edits: PhoneEdit[]): PhoneEdit[] => [
  { phoneNumber: numberOf(n) },
  { IMSI: `45400000000000${n}` },
  { startedAt: days(40 + 20 * n) },
  { validityDays: String(30 * n) },
  { slot: `SIM 0${1 + (n % 3)}` },
  { simHost: `pi-${1 + (n % 2)}.example` },
  { port: '8080' },
  { setting: '{"idealVolume":10,"isTransferAvailable":true}' },
  { countTenMinute: 20 },
  { countOneHour: 60 },
  { countEightHour: 200 },
  { countOneDay: 300 },
  { smsActive: true },
  ...edits,
];

/** Six phones: one near its validity, one that needs a top-up, one DOWN, one that was given back. */
const FLEET: DemoPhone[] = [
  {
    name: 'hk-01',
    edits: sim(1, { carrierAliases: 'csl' }, { smsWebActive: true }),
    balances: [
      { daysAgo: 6, micros: units(31) },
      { daysAgo: 3, micros: units(24) },
      { daysAgo: 2, micros: units(74) },
    ],
  },
  {
    name: 'hk-02',
    edits: sim(2, { carrierAliases: 'three' }, { validityDays: '2' }),
    balances: [{ daysAgo: 5, micros: units(46) }],
  },
  {
    name: 'hk-03',
    edits: sim(
      3,
      { carrierAliases: 'smartone' },
      { setting: '{"idealVolume":10,"isTransferAvailable":true,"method":"gammu"}' },
    ),
    balances: [
      { daysAgo: 6, micros: units(18) },
      { daysAgo: 1, micros: units(6) },
    ],
  },
  {
    name: 'hk-04',
    edits: sim(4, { carrierAliases: 'cmhk' }, { simHost: 'unreachable-1.example' }, { remark: 'rack moved' }),
    balances: [{ daysAgo: 4, micros: units(52) }],
  },
  {
    name: 'hk-05',
    edits: [
      { phoneNumber: numberOf(5) },
      { startedAt: days(12) },
      { slot: 'WA 01' },
      { whatsappHost: 'pi-1.example' },
      { whatsappHostPort: '9090' },
      { setting: '{"idealVolume":8}' },
      { countOneDay: 100 },
      { whatsappActive: true },
    ],
    balances: [],
  },
  {
    name: 'hk-06',
    edits: [{ phoneNumber: numberOf(6) }, { startedAt: days(400) }, { remark: 'RELEASED' }],
    balances: [],
  },
];

/** A small fleet of simulated phones. Returns their ids; running it again adds nothing. */
export const makeDemoPhones = async (phones: PhonesDeps): Promise<void> => {
  for (const { name, edits, balances } of FLEET) {
    const phoneId: PhoneId | undefined = await addPhone(phones, { name }).catch(() => undefined);
    if (!phoneId) continue;
    for (const edit of edits) await changePhone(phones, phoneId, edit);
    for (const { daysAgo, micros } of balances)
      await takeReports(phones, [
        { phoneId, balanceMicros: micros, at: new Date(Date.now() - daysAgo * DAY_MS) },
      ]);
  }
};
