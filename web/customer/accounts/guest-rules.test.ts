import { beforeAll, describe, expect, test } from 'vitest';
import { setTexts } from '../../ground/i18n/translate.ts';
import { formFaults } from './guest-form.ts';
import { FORGOT_PASSWORD_RULES, LOGIN_RULES, REGISTER_RULES } from './guest-rules.ts';

beforeAll(() => setTexts({}));

const registering = { email: '', password: '', repeatPassword: '', accepted: false };

describe('all faults are shown at once, in the words of the specification', () => {
  test('login', () => {
    expect(formFaults(LOGIN_RULES, { email: '', password: '' })).toEqual({
      email: '[guest.email_invalid]',
      password: '[guest.password_empty]',
    });
    expect(formFaults(LOGIN_RULES, { email: 'a@b', password: 'x' })).toEqual({
      email: '[guest.email_invalid]',
    });
    expect(formFaults(LOGIN_RULES, { email: 'a@studio.photography', password: 'x' })).toEqual({});
  });

  test('registration', () => {
    const faults = (values: Partial<typeof registering>) =>
      formFaults(REGISTER_RULES, { ...registering, ...values });
    expect(faults({ password: 'x' })).toEqual({
      email: '[guest.email_invalid]',
      repeatPassword: '[guest.passwords_differ]',
      accepted: '[register.terms_missing]',
    });
    expect(faults({})).toMatchObject({ password: '[guest.password_empty]' });
    const complete = { password: 'x', repeatPassword: 'x', email: 'a@example.com' };
    expect(faults(complete)).toEqual({ accepted: '[register.terms_missing]' });
    expect(faults({ ...complete, accepted: true })).toEqual({});
  });

  test('spaces around an email are forgiven', () => {
    expect(formFaults(FORGOT_PASSWORD_RULES, { email: ' a@example.com ' })).toEqual({});
  });
});
