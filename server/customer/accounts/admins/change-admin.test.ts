import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestAccounts, tokenIn } from '../../../../test/accounts.ts';
import { activate } from '../opening/activate.ts';
import { register } from '../opening/register.ts';
import { findSession } from '../sessions/session.ts';
import { findByEmail } from '../store.ts';
import { viewAccount } from '../view-account.ts';
import { findAdmin, listAdmins } from './admin-store.ts';
import { addAdmin, changeAdmin } from './change-admin.ts';

const room = await openTestAccounts();
const { deps, db } = room;
afterAll(room.close);

test('the last owner stays one, also if two owners step back at the same moment', async () => {
  const [one, two] = [await room.activeAccount({ admin: true }), await room.activeAccount({ admin: true })];
  const outcomes = await Promise.allSettled([
    changeAdmin({ db }, { accountId: one.accountId, role: 'support' }),
    changeAdmin({ db }, { accountId: two.accountId, role: null }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'E_LAST_OWNER' },
  });
  const owners = (await listAdmins(db)).filter(({ role }) => role === 'owner');
  expect(owners).toHaveLength(1);
});

test('who has an account is an admin at once, with this role', async () => {
  const owner = await room.activeAccount({ admin: true });
  const { accountId, email } = await room.activeAccount();
  const added = await addAdmin(deps, { email, role: 'analyst', language: 'en_US', by: owner.accountId });
  expect(added).toMatchObject({
    accountId,
    before: { role: null },
    after: { role: 'analyst' },
    invited: false,
  });
  expect(await findAdmin(db, accountId)).toMatchObject({ role: 'analyst' });
  await changeAdmin({ db }, { accountId, role: null });
  expect(await findAdmin(db, accountId)).toBeUndefined();
});

test('who has registered and not activated the account yet is listed and can be removed, but is no last owner', async () => {
  const owner = await room.activeAccount({ admin: true });
  const email = 'late@example.com';
  await addAdmin(deps, { email, role: 'owner', language: 'en_US', by: owner.accountId });
  const [mail] = await room.deliver();
  const visitor = { email, password: 'some password', language: 'en_US' as const, address: 'late' };
  await register(deps, { ...visitor, invitation: tokenIn(mail) });
  const [activation] = await room.deliver();
  const late = (await listAdmins(db)).find((admin) => admin.email === email);
  expect(late).toMatchObject({ role: 'owner', activated: false });
  for (const { id, activated } of await listAdmins(db))
    if (activated && id !== owner.accountId) await changeAdmin({ db }, { accountId: id, role: null });
  await expect(changeAdmin({ db }, { accountId: owner.accountId, role: null })).rejects.toMatchObject({
    code: 'E_LAST_OWNER',
  });
  await changeAdmin({ db }, { accountId: late?.id as AccountId, role: null });
  await activate(deps, { token: tokenIn(activation), address: 'late' });
  expect(await findAdmin(db, late?.id as AccountId)).toBeUndefined();
});

test("another role ends what an admin saw of customers' accounts", async () => {
  const owner = await room.activeAccount({ admin: true });
  const { accountId } = await room.activeAccount();
  const view = async () => {
    const { token } = await viewAccount(deps, {
      accountId,
      by: owner.accountId,
      password: undefined,
      address: 'x',
    });
    return () => findSession(db, token);
  };
  await room.activeAccount({ admin: true });
  const sees = await view();
  expect(await sees()).toMatchObject({ accountId });
  await changeAdmin({ db }, { accountId: owner.accountId, role: 'analyst' });
  expect(await sees()).toBeUndefined();
});

test.each(['open', 'invitation', 'closed'] as const)(
  'somebody new becomes an admin by the link that they were sent, when registration is %s',
  async (registration) => {
    const owner = await room.activeAccount({ admin: true });
    const email = `new-admin-${registration}@example.com`;
    await addAdmin(deps, { email, role: 'operator', language: 'en_US', by: owner.accountId });
    const [mail] = await room.deliver();
    const visitor = { email, password: 'some password', language: 'en_US' as const, address: registration };
    // Without the link nobody becomes one.
    if (registration !== 'open') await expect(register({ ...deps, registration }, visitor)).rejects.toThrow();
    await register({ ...deps, registration }, { ...visitor, invitation: tokenIn(mail) });
    const [activation] = await room.deliver();
    await activate(deps, { token: tokenIn(activation), address: registration });
    const account = await findByEmail(db, email);
    expect(account && (await findAdmin(db, account.id))).toMatchObject({ role: 'operator' });
  },
);
