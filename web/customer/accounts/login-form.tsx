import { call } from '../../ground/api/call.ts';
import { saveSession } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { EmailField, GuestFields, GuestPasswordField } from './guest-fields.tsx';
import { useGuestForm } from './guest-form.ts';
import { LOGIN_RULES } from './guest-rules.ts';

export const LoginForm = ({ onSuccess }: { onSuccess: () => void }) => {
  const { form, ...guest } = useGuestForm({
    initialValues: { email: '', password: '' },
    rules: LOGIN_RULES,
    fieldOf: { E_BAD_CREDENTIALS: 'password', E_PASSWORD_EMPTY: 'password', E_EMAIL_INVALID: 'email' },
    submit: async ({ email, password }) => {
      const body = { email: email.trim(), password };
      const session = await call('POST /account/login', { body, anonymous: true });
      saveSession({ ...session, email: body.email });
      onSuccess();
    },
  });
  return (
    <GuestFields {...guest} button={t('login.button')}>
      <EmailField {...form.getInputProps('email')} />
      <GuestPasswordField
        label={t('guest.password')}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </GuestFields>
  );
};
