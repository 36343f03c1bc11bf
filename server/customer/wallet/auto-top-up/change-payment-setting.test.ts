import { afterAll, expect, test } from 'vitest';
import { openTestWallet } from '../../../../test/wallet.ts';
import { readWallet, readWallets } from '../store.ts';
import { paymentSettingView } from '../views.ts';
import { changePaymentSetting } from './change-payment-setting.ts';

const room = await openTestWallet();
afterAll(room.close);
const { db, deps } = room;

test('a new wallet is empty and settles in HKD, without automatic top-up', async () => {
  const { accountId } = await room.activeAccount();
  const wallet = await readWallet(db, accountId);
  expect(wallet).toMatchObject({ accountId, balanceMicros: 0n, currency: 'HKD' });
  expect(paymentSettingView('en_US', wallet)).toEqual({
    autoCharge: false,
    autoChargeAmount: null,
    cardId: null,
    autoChargeThreshold: 5,
    autoChargeDailyCap: 200,
    autoChargeStopped: '',
  });
});

test('the settlement currency changes for this account alone', async () => {
  const [one, other] = [await room.activeAccount(), await room.activeAccount()];
  await changePaymentSetting(deps, one.accountId, { currency: 'USD' });
  const wallets = await readWallets(db, [one.accountId, other.accountId]);
  expect(new Map(wallets.map(({ accountId, currency }) => [accountId, currency]))).toEqual(
    new Map([
      [one.accountId, 'USD'],
      [other.accountId, 'HKD'],
    ]),
  );
});

test.each([
  [0, 'E_AMOUNT_ZERO'],
  [-1, 'E_AMOUNT_NEGATIVE'],
  [0.001, 'E_AMOUNT_NOT_CENTS'],
  [6.4, 'E_AMOUNT_TOO_SMALL'],
  [1e300, 'E_AMOUNT_INVALID'],
])('automatic top-up of %s dollars is refused', async (autoChargeAmount, code) => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  await expect(
    changePaymentSetting(deps, accountId, { autoCharge: true, autoChargeAmount, cardId }),
  ).rejects.toMatchObject({ code });
});

test.each(['card', '3f1d3c9e-8a0b-4a6e-9d53-0d4a4a1a2b3c'])(
  'automatic top-up with a card that the account does not have (%s) is refused and changes nothing',
  async (cardId) => {
    const { accountId } = await room.activeAccount();
    await expect(
      changePaymentSetting(deps, accountId, { autoCharge: true, autoChargeAmount: 10.25, cardId }),
    ).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
    expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: false, cardId: null });
  },
);

test("another account's card is refused", async () => {
  const [one, other] = [await room.funded(), await room.funded()];
  const cardId = await room.addCard(other);
  await expect(
    changePaymentSetting(deps, one, { autoCharge: true, autoChargeAmount: 10, cardId }),
  ).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
});

test('turning on keeps amount, card, threshold and cap; turning off keeps them for the next time', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  await changePaymentSetting(deps, accountId, {
    autoCharge: true,
    autoChargeAmount: '20.50',
    cardId,
    autoChargeThreshold: 7.5,
    autoChargeDailyCap: 41,
  });
  const set = { autoChargeAmount: 20.5, cardId, autoChargeThreshold: 7.5, autoChargeDailyCap: 41 };
  expect(paymentSettingView('en_US', await readWallet(db, accountId))).toMatchObject({
    autoCharge: true,
    ...set,
  });
  await changePaymentSetting(deps, accountId, { autoCharge: false });
  expect(paymentSettingView('en_US', await readWallet(db, accountId))).toMatchObject({
    autoCharge: false,
    ...set,
  });
});

test('the default cap follows the amount, and one that is less than a top-up is refused, given now or before', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const on = (autoChargeAmount: number, autoChargeDailyCap?: number) =>
    changePaymentSetting(deps, accountId, { autoCharge: true, autoChargeAmount, cardId, autoChargeDailyCap });
  const cap = async () => paymentSettingView('en_US', await readWallet(db, accountId)).autoChargeDailyCap;
  await on(100);
  expect(await cap()).toBe(500);
  await expect(on(100, 99)).rejects.toMatchObject({ code: 'E_DAILY_CAP_TOO_LOW' });
  await on(20, 30);
  expect(await cap()).toBe(30);
  await expect(on(50)).rejects.toMatchObject({ code: 'E_DAILY_CAP_TOO_LOW' });
  expect(paymentSettingView('en_US', await readWallet(db, accountId))).toMatchObject({
    autoChargeAmount: 20,
    autoChargeDailyCap: 30,
  });
  await on(50, 60);
  expect(await cap()).toBe(60);
});
