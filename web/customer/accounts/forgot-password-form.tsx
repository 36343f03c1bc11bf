import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { SubmitButton, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useGuestForm } from './guest-form.ts';
import { FORGOT_PASSWORD_RULES } from './guest-rules.ts';

export const ForgotPasswordForm = ({ onSuccess }: { onSuccess: () => void }) => {
  const { form, failure, sending, onSubmit, alertRef } = useGuestForm({
    initialValues: { email: '' },
    rules: FORGOT_PASSWORD_RULES,
    fieldOf: { E_EMAIL_INVALID: 'email' },
    submit: async ({ email }) => {
      await call('POST /account/forgotPassword', { body: { email: email.trim() }, anonymous: true });
      onSuccess();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form}>
      {failure && <FailureAlert ref={alertRef} text={t('guest.error_occurred')} reason={failure.message} />}
      <TextField
        label={t('guest.email')}
        type="email"
        autoComplete="username"
        {...form.getInputProps('email')}
      />
      <SubmitButton sending={sending} label={t('forgot_password.button')} />
    </form>
  );
};
