import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { checkWords } from './words.ts';

const faultsOf = async (zh_HK: string) => {
  const texts = JSON.stringify({ 'wallet.title': { en_US: 'x', zh_HK } });
  return (await checkWords(plantTree({ 'server/ground/translations/texts/pages.json': texts }))).faults;
};

test('this house passes', async () => {
  expect((await checkWords(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

test.each([
  '十月份賬單',
  '總賬',
  '以 SMS 發送',
  '簡訊',
  '帳戶的拒收名單',
  '失敗的 webhook',
  'modem',
  '請聯絡營運商',
  '設為 FAILED',
  '電話 DOWN',
  '已 STOPPED',
  '11 月 19 日',
  '11月 19日',
])('another word for the same is refused: %s', async (text) => {
  expect(await faultsOf(text)).toEqual([expect.stringMatching(/wallet\.title: one-word/)]);
});

test.each([
  '十月份帳單',
  '短訊',
  '營辦商',
  'Webhook',
  '沒有名為 {{modem}} 的數據機',
  '不會列為拒收',
  '11月19日',
  '1 日',
  '{{days}} 日後',
  '保留 60 日',
  'UPS 及 DOWNLOAD',
])('the right word passes: %s', async (text) => expect(await faultsOf(text)).toEqual([]));
