import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Registration } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import { openTestAccounts, tokenIn } from '../../../../test/accounts.ts';
import { activate } from '../opening/activate.ts';
import { register } from '../opening/register.ts';
import { logIn } from '../sessions/log-in.ts';
import { findByEmail } from '../store.ts';
import { adminInvitationRoutes } from './admin-routes.ts';
import { invite, sendInvitation } from './invite.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { db } = room;
const password = 'first password';
const depsOf = (registration: Registration) => ({ ...room.deps, registration });
const invited = depsOf('invitation');
const admin = await room.activeAccount({ admin: true });

/** An invitation, and the token of its mail. */
const inviteOne = async () => {
  const visitor = room.newVisitor();
  const { id } = await invite(invited, { email: visitor.email, language: 'en_US', by: admin.accountId });
  const [mail] = await room.deliver();
  return { visitor, id, mail, invitation: tokenIn(mail) };
};

test('by invitation: the link registers its email, once, and then the account is activated as usual', async () => {
  const { visitor, mail, invitation } = await inviteOne();
  expect(mail).toMatchObject({ to: visitor.email, subject: 'You are invited to register' });
  expect(mail?.text).toContain(`/register?token=${invitation}&email=${encodeURIComponent(visitor.email)}`);
  await register(invited, { ...visitor, password, invitation });
  const [activation] = await room.deliver();
  await activate(invited, { token: tokenIn(activation), address: visitor.address });
  expect(await logIn(invited, { ...visitor, password })).toMatchObject({ token: expect.any(String) });
});

test('without an invitation, with a wrong one or with another email nobody registers', async () => {
  const { visitor, invitation } = await inviteOne();
  const stranger = room.newVisitor();
  const attempts = [
    { ...stranger, password },
    { ...stranger, password, invitation },
    { ...visitor, password, invitation: invitation.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) },
    { ...visitor, password, invitation: '' },
  ];
  for (const attempt of attempts)
    await expect(register(invited, attempt)).rejects.toMatchObject({ code: 'E_INVITATION_NEEDED' });
  expect(await findByEmail(db, stranger.email)).toBeUndefined();
  expect(await findByEmail(db, visitor.email)).toBeUndefined();
  expect(room.jobs).toEqual([]);
});

test('of several invitations to one email at the same moment, one link works', async () => {
  const visitor = room.newVisitor();
  const asked = { email: visitor.email, language: 'en_US', by: admin.accountId } as const;
  const made = await Promise.all([0, 1, 2, 3].map(() => invite(invited, asked)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(4);
  const mails = await room.deliver();
  const outcomes = await Promise.allSettled(
    mails.map((mail) => register(invited, { ...visitor, password, invitation: tokenIn(mail) })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled']);
  expect(await room.deliver()).toMatchObject([{ subject: 'Activate your account' }]);
});

test('the same link sends the activation mail again, but makes no second account', async () => {
  const { visitor, invitation } = await inviteOne();
  await register(invited, { ...visitor, password, invitation });
  await register(invited, { ...visitor, password, invitation });
  expect(await room.deliver()).toMatchObject([
    { subject: 'Activate your account' },
    { subject: 'Activate your account' },
  ]);
  await sql`delete from accounts where email = ${visitor.email}`.execute(db);
  await expect(register(invited, { ...visitor, password, invitation })).rejects.toMatchObject({
    code: 'E_INVITATION_NEEDED',
  });
});

test('an invitation ends when it is taken back, replaced or too old', async () => {
  const routes = adminInvitationRoutes(invited);
  const back = await inviteOne();
  const remove = () =>
    routes['DELETE /admin/invitations/:invitationId']?.({
      caller: { role: 'support' },
      params: { invitationId: back.id },
      changed: () => {},
      language: 'en_US',
    } as never);
  expect(await remove()).toMatchObject({ message: 'The invitation was taken back.' });
  await expect(remove()).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  const replaced = await inviteOne();
  await invite(invited, { email: replaced.visitor.email, language: 'en_US', by: admin.accountId });
  await room.deliver();
  const old = await inviteOne();
  await sql`update invitations set expires_at = now() where id = ${old.id}`.execute(db);
  for (const { visitor, invitation } of [back, replaced, old])
    await expect(register(invited, { ...visitor, password, invitation })).rejects.toMatchObject({
      code: 'E_INVITATION_NEEDED',
    });
});

test('an admin sees whom they invited, and is told of an email that has an account', async () => {
  const routes = adminInvitationRoutes(invited);
  const { email } = room.newVisitor();
  const call = (body: object) =>
    routes['POST /admin/invitations']?.({
      caller: { accountId: admin.accountId },
      changed: () => {},
      body,
      language: 'zh_HK',
    } as never);
  expect(await call({ email })).toMatchObject({ email, usedAt: null });
  expect(await room.deliver()).toMatchObject([{ language: 'zh_HK', to: email }]);
  const { invitations } = (await routes['GET /admin/invitations']?.({
    caller: { role: 'support' },
  } as never)) ?? { invitations: [] };
  expect(invitations[0]).toMatchObject({ email });
  await expect(call({ email: admin.email })).rejects.toMatchObject({ code: 'E_EMAIL_TAKEN' });
});

test('who is invited to be an admin stays so: only an owner sees it or takes it back', async () => {
  const { email } = room.newVisitor();
  const asked = { language: 'en_US' as const, by: admin.accountId };
  const { id } = await sendInvitation(invited, { ...asked, email, adminRole: 'finance' });
  await expect(invite(invited, { ...asked, email })).rejects.toMatchObject({ code: 'E_INVITED_AS_ADMIN' });
  const routes = adminInvitationRoutes(invited);
  const as = (role: AdminRole) => ({
    caller: { accountId: admin.accountId, role },
    params: { invitationId: id },
    changed: () => {},
    language: 'en_US',
  });
  const seenBy = async (role: AdminRole) =>
    (await routes['GET /admin/invitations']?.(as(role) as never))?.invitations.some(
      (one) => one.email === email,
    );
  const remove = async (role: AdminRole) =>
    routes['DELETE /admin/invitations/:invitationId']?.(as(role) as never);
  expect(await seenBy('support')).toBe(false);
  await expect(remove('support')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  expect(await seenBy('owner')).toBe(true);
  await remove('owner');
  expect(await invite(invited, { ...asked, email })).toMatchObject({ email, adminRole: null });
  await room.deliver();
});

test('where registration is closed nobody registers, and nobody is invited', async () => {
  const { visitor, invitation } = await inviteOne();
  const closed = depsOf('closed');
  await expect(register(closed, { ...visitor, password, invitation })).rejects.toMatchObject({
    code: 'E_REGISTRATION_CLOSED',
  });
  const { email } = room.newVisitor();
  await expect(invite(closed, { email, language: 'en_US', by: admin.accountId })).rejects.toMatchObject({
    code: 'E_REGISTRATION_CLOSED',
  });
});
