import { PASSWORD_MIN_LENGTH } from '../../../contract/ground/constants.ts';
import { call } from '../../ground/api/call.ts';
import { startSession } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField, SubmitButton } from '../../ground/ui/forms/form-fields.tsx';
import { useGuestForm } from './guest-form.ts';

/** Both passwords are sent as they are: only the server decides whether they are acceptable. */
export const ResetPasswordForm = ({ token, onSuccess }: { token: string; onSuccess: () => void }) => {
  const { form, failure, sending, onSubmit, alertRef } = useGuestForm({
    initialValues: { password: '', confirmPassword: '' },
    rules: [],
    fieldOf: {
      E_PASSWORD_EMPTY: 'password',
      E_PASSWORD_TOO_SHORT: 'password',
      E_PASSWORD_TOO_LONG: 'password',
      E_PASSWORDS_DIFFER: 'confirmPassword',
    },
    submit: async (values) => {
      startSession(
        await call('POST /account/resetPassword', { body: { token, ...values }, anonymous: true }),
      );
      onSuccess();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form}>
      {failure && <FailureAlert ref={alertRef} text={t('guest.error_occurred')} reason={failure.message} />}
      <PasswordField
        label={t('reset_password.new_password')}
        description={t('guest.password_hint', { count: PASSWORD_MIN_LENGTH })}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t('reset_password.confirm_password')}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="new-password"
        {...form.getInputProps('confirmPassword')}
      />
      <SubmitButton sending={sending} label={t('reset_password.button')} />
    </form>
  );
};
