import { call } from '../../ground/api/call.ts';
import { saveSession } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { GuestFields, NewPasswordFields } from './guest-fields.tsx';
import { useGuestForm } from './guest-form.ts';

/** Both passwords are sent as they are: only the server decides whether they are acceptable. */
export const ResetPasswordForm = ({ token, onSuccess }: { token: string; onSuccess: () => void }) => {
  const { form, ...guest } = useGuestForm({
    initialValues: { password: '', confirmPassword: '' },
    rules: [],
    fieldOf: {
      E_PASSWORD_EMPTY: 'password',
      E_PASSWORD_TOO_SHORT: 'password',
      E_PASSWORD_TOO_LONG: 'password',
      E_PASSWORDS_DIFFER: 'confirmPassword',
    },
    submit: async (values) => {
      saveSession(await call('POST /account/resetPassword', { body: { token, ...values }, anonymous: true }));
      onSuccess();
    },
  });
  return (
    <GuestFields {...guest} reasonApart button={t('reset_password.button')}>
      <NewPasswordFields
        first={{ label: t('reset_password.new_password'), ...form.getInputProps('password') }}
        again={{ label: t('reset_password.confirm_password'), ...form.getInputProps('confirmPassword') }}
      />
    </GuestFields>
  );
};
