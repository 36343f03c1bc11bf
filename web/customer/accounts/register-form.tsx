import { Checkbox } from '@mantine/core';
import { PASSWORD_MIN_LENGTH } from '../../../contract/ground/constants.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField, SubmitButton, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useGuestForm } from './guest-form.ts';
import { REGISTER_RULES, type RegisterValues } from './guest-rules.ts';
import { TermsLabel } from './terms-label.tsx';

export interface Registered {
  email: string;
  /** The server's. */
  message: string;
  /** Sends the mail again: the same password means the same person. */
  again: () => Promise<{ message: string }>;
}

interface RegisterFormProps {
  /** The email address that was typed on the home page, or that was invited. */
  email: string;
  /** The token of an invitation. */
  invitation: string | undefined;
  onSuccess: (registered: Registered) => void;
}

export const RegisterForm = ({ email, invitation, onSuccess }: RegisterFormProps) => {
  const { form, failure, sending, onSubmit, alertRef } = useGuestForm<RegisterValues>({
    initialValues: { email, password: '', repeatPassword: '', accepted: false },
    rules: REGISTER_RULES,
    fieldOf: {
      E_EMAIL_INVALID: 'email',
      E_PASSWORD_EMPTY: 'password',
      E_PASSWORD_TOO_SHORT: 'password',
      E_PASSWORD_TOO_LONG: 'password',
    },
    submit: async (values) => {
      const body = {
        email: values.email.trim(),
        password: values.password,
        ...(invitation && { invitation }),
      };
      const again = () => call('POST /account/register', { body, anonymous: true });
      onSuccess({ email: body.email, ...(await again()), again });
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
        description={t('guest.password_hint', { count: PASSWORD_MIN_LENGTH })}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t('register.repeat_password')}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="new-password"
        {...form.getInputProps('repeatPassword')}
      />
      <Checkbox
        size="md"
        label={<TermsLabel />}
        {...form.getInputProps('accepted', { type: 'checkbox' })}
        error={form.errors.accepted && <span role="alert">{form.errors.accepted}</span>}
        aria-invalid={Boolean(form.errors.accepted)}
      />
      <SubmitButton sending={sending} label={t('register.button')} />
    </form>
  );
};
