import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { EmailField, GuestFields } from './guest-fields.tsx';
import { useGuestForm } from './guest-form.ts';
import { FORGOT_PASSWORD_RULES } from './guest-rules.ts';

export const ForgotPasswordForm = ({ onSuccess }: { onSuccess: () => void }) => {
  const { form, ...guest } = useGuestForm({
    initialValues: { email: '' },
    rules: FORGOT_PASSWORD_RULES,
    fieldOf: { E_EMAIL_INVALID: 'email' },
    submit: async ({ email }) => {
      await call('POST /account/forgotPassword', { body: { email: email.trim() }, anonymous: true });
      onSuccess();
    },
  });
  return (
    <GuestFields {...guest} reasonApart button={t('forgot_password.button')}>
      <EmailField {...form.getInputProps('email')} />
    </GuestFields>
  );
};
