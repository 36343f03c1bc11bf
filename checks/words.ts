import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Check } from './outcome.ts';

const FOLDER = 'server/ground/translations/texts';

/** One word a thing in Chinese as written in Hong Kong: what must not be written, and what is written instead. */
const WORDS: [RegExp, string][] = [
  [/賬|账/, '帳 (帳單, 帳戶, 總帳)'],
  [/SMS|簡訊|短信|簡讯/, '短訊'],
  [/拒收名單/, '退訂'],
  [/\bwebhook\b/, 'Webhook'],
  [/(?<!\{)\b(?:modem|web)\b/, '數據機, 網頁'],
  [/營運商/, '營運者; of a network 營辦商'],
  [/\b(?:SUCCESS|PENDING|FAILED|FAILED_WITH_EXCEPTION|CANCELLED)\b/, 'the words of messages.status'],
  [/\b(?:RUNNING|STOPPED)\b/, 'the words of devices.status'],
  [/\b(?:UP|DOWN)\b/, 'the words of lane.up and lane.down'],
  [/\b(?:RELEASED|TOPUP)\b/, 'a word in Chinese'],
  [/\d\s*月\s+\d|\d\s+月|月\s*\d+\s+日|\d\s*年\s+\d/, 'a date without spaces: 11月19日'],
];

type Texts = Record<string, { zh_HK?: string }>;

/** In the texts of zh_HK each thing has one word, and no status stands there in English. */
export const checkWords: Check = async (root) => {
  const parts = globSync(`${FOLDER}/*.json`, { cwd: root }).toSorted();
  const texts = parts.flatMap((path) =>
    Object.entries(JSON.parse(readFileSync(join(root, path), 'utf8')) as Texts).map(
      ([label, { zh_HK = '' }]) => ({ where: `${basename(path)}: ${label}`, text: zh_HK }),
    ),
  );
  return {
    note: `${texts.length} texts`,
    faults: texts.flatMap(({ where, text }) =>
      WORDS.filter(([refused]) => refused.test(text)).map(
        ([refused, instead]) => `${where}: one-word: ${refused.exec(text)?.[0]} is written ${instead}`,
      ),
    ),
  };
};
