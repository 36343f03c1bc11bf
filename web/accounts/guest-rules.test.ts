import { beforeAll, describe, expect, test } from 'vitest';
import { setTexts } from '../i18n/translate.ts';
import { firstFault } from './guest-form.ts';
import { FORGOT_PASSWORD_RULES, LOGIN_RULES, REGISTER_RULES } from './guest-rules.ts';

beforeAll(() => setTexts({}));

const registering = { email: '', password: '', repeatPassword: '', accepted: false };

describe('only the first broken rule is shown, in the order of the specification', () => {
  test('login asks for the password before it looks at the email', () => {
    expect(firstFault(LOGIN_RULES, { email: '', password: '' })).toEqual({
      password: '[guest.password_empty]',
    });
    expect(firstFault(LOGIN_RULES, { email: 'a@b', password: 'x' })).toEqual({
      email: '[guest.email_invalid]',
    });
    expect(firstFault(LOGIN_RULES, { email: 'a@example.com', password: 'x' })).toEqual({});
  });

  test('registration: equal, given, email, terms', () => {
    const fault = (values: Partial<typeof registering>) =>
      firstFault(REGISTER_RULES, { ...registering, ...values });
    expect(fault({ password: 'x' })).toEqual({ repeatPassword: '[guest.passwords_differ]' });
    expect(fault({})).toEqual({ password: '[guest.password_empty]' });
    expect(fault({ password: 'x', repeatPassword: 'x' })).toEqual({ email: '[guest.email_invalid]' });
    const complete = { password: 'x', repeatPassword: 'x', email: 'a@example.com' };
    expect(fault(complete)).toEqual({ accepted: '[register.terms_missing]' });
    expect(fault({ ...complete, accepted: true })).toEqual({});
  });

  test('spaces around an email are forgiven', () => {
    expect(firstFault(FORGOT_PASSWORD_RULES, { email: ' a@example.com ' })).toEqual({});
  });
});
