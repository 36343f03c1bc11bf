import { isEmail } from '../../../contract/ground/constants.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { FormRule } from './guest-form.ts';

type LoginValues = { email: string; password: string };

export type RegisterValues = LoginValues & { repeatPassword: string; accepted: boolean };

const passwordGiven: FormRule<LoginValues> = {
  field: 'password',
  fails: ({ password }) => password === '',
  text: () => t('guest.password_empty'),
};

const emailValid: FormRule<{ email: string }> = {
  field: 'email',
  fails: ({ email }) => !isEmail(email.trim()),
  text: () => t('guest.email_invalid'),
};

export const LOGIN_RULES: FormRule<LoginValues>[] = [passwordGiven, emailValid];

export const FORGOT_PASSWORD_RULES: FormRule<{ email: string }>[] = [emailValid];

export const REGISTER_RULES: FormRule<RegisterValues>[] = [
  {
    field: 'repeatPassword',
    fails: ({ password, repeatPassword }) => password !== repeatPassword,
    text: () => t('guest.passwords_differ'),
  },
  passwordGiven,
  emailValid,
  { field: 'accepted', fails: ({ accepted }) => !accepted, text: () => t('register.terms_missing') },
];
