import { call } from '../../ground/api/call.ts';
import { startSession } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField, SubmitButton, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useGuestForm } from './guest-form.ts';
import { LOGIN_RULES } from './guest-rules.ts';

export const LoginForm = ({ onSuccess }: { onSuccess: () => void }) => {
  const { form, failure, sending, onSubmit, alertRef } = useGuestForm({
    initialValues: { email: '', password: '' },
    rules: LOGIN_RULES,
    fieldOf: { E_BAD_CREDENTIALS: 'password', E_PASSWORD_EMPTY: 'password', E_EMAIL_INVALID: 'email' },
    submit: async ({ email, password }) => {
      const body = { email: email.trim(), password };
      const session = await call('POST /account/login', { body, anonymous: true });
      startSession({ ...session, email: body.email });
      onSuccess();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form}>
      {failure && <FailureAlert ref={alertRef} text={t('guest.error', { message: failure.message })} />}
      <TextField
        label={t('guest.email')}
        type="email"
        autoComplete="username"
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('guest.password')}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <SubmitButton sending={sending} label={t('login.button')} />
    </form>
  );
};
