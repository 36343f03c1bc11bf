import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { beginCard } from './begin-card.ts';
import { findCustomer, listCards } from './card-store.ts';
import { keepCard } from './keep-card.ts';
import { removeCard } from './remove-card.ts';
import { setDefaultCard } from './set-default-card.ts';

const room = await openTestWallet();
afterAll(room.close);
const { db, deps, provider } = room;
const owner = (accountId: AccountId) => ({ accountId, processor: 'stripe' as const });
const defaults = async (accountId: AccountId) =>
  (await listCards(db, owner(accountId))).filter(({ isDefault }) => isDefault).map(({ id }) => id);

test('the first card is the default; another one becomes it when chosen', async () => {
  const accountId = await room.funded();
  const [first, second] = [await room.addCard(accountId), await room.addCard(accountId)];
  expect(await defaults(accountId)).toEqual([first]);
  await setDefaultCard(deps, accountId, second);
  expect(await defaults(accountId)).toEqual([second]);
});

test('many choices at once leave one default', async () => {
  const accountId = await room.funded();
  const cards = [await room.addCard(accountId), await room.addCard(accountId), await room.addCard(accountId)];
  await Promise.all([...cards, ...cards].map((cardId) => setDefaultCard(deps, accountId, cardId)));
  expect(await defaults(accountId)).toHaveLength(1);
});

test('a removed card is gone here and, by the queue, at the provider; the newest one follows as the default', async () => {
  const accountId = await room.funded();
  const [first, , third] = [
    await room.addCard(accountId),
    await room.addCard(accountId),
    await room.addCard(accountId),
  ];
  const [{ methodRef } = { methodRef: '' }] = await listCards(db, owner(accountId));
  await removeCard(deps, accountId, first);
  expect(await defaults(accountId)).toEqual([third]);
  await room.work();
  expect(provider.removed).toContain(methodRef);
  await expect(removeCard(deps, accountId, first)).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
});

test("another account's card can be neither chosen nor removed", async () => {
  const [one, other] = [await room.funded(), await room.funded()];
  const cardId = await room.addCard(one);
  await expect(setDefaultCard(deps, other, cardId)).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
  await expect(removeCard(deps, other, cardId)).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
});

test('the same confirmation twice is one card; what was not confirmed is none', async () => {
  const accountId = await room.funded();
  await expect(keepCard(deps, accountId, 'card_good_x')).rejects.toMatchObject({
    code: 'E_CARD_NOT_CONFIRMED',
  });
  await beginCard(deps, accountId);
  const auth = `card_good_${randomBytes(4).toString('hex')}`;
  const kept = await Promise.all([auth, auth, auth].map((one) => keepCard(deps, accountId, one)));
  expect(new Set(kept.map(({ id }) => id)).size).toBe(1);
  await expect(keepCard(deps, accountId, 'nothing')).rejects.toMatchObject({ code: 'E_CARD_NOT_CONFIRMED' });
});

test('an account can keep twenty cards', async () => {
  const accountId = await room.funded();
  for (let count = 0; count < 20; count++) await room.addCard(accountId);
  await expect(room.addCard(accountId)).rejects.toMatchObject({ code: 'E_TOO_MANY_CARDS' });
});

test('of two customers made at the same moment one is kept, and the form belongs to it', async () => {
  const accountId = await room.funded();
  let made = 0;
  const processor = {
    ...provider.processor,
    beginCard: async ({ customerRef }: { customerRef: string | undefined }) => {
      const ref = customerRef ?? `cus_${++made}_${accountId}`;
      return { clientSecret: `form of ${ref}`, customerRef: ref };
    },
  };
  const secrets = await Promise.all([1, 2, 3].map(() => beginCard({ ...deps, processor }, accountId)));
  const kept = await findCustomer(db, owner(accountId));
  expect(new Set(secrets)).toEqual(new Set([`form of ${kept}`]));
});

test('a customer that the provider no longer knows is replaced', async () => {
  const accountId = await room.funded();
  await beginCard(deps, accountId);
  const processor = {
    ...provider.processor,
    beginCard: async () => ({ clientSecret: 'form', customerRef: 'cus_new' }),
  };
  await beginCard({ ...deps, processor }, accountId);
  expect(await findCustomer(db, owner(accountId))).toBe('cus_new');
});

test('a provider that is out of reach is told as such', async () => {
  const accountId = await room.funded();
  const processor = {
    ...provider.processor,
    beginCard: () => Promise.reject(new Error('the network is away')),
  };
  await expect(beginCard({ ...deps, processor }, accountId)).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
});
