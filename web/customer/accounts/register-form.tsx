import { Checkbox } from '@mantine/core';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { EmailField, GuestFields, NewPasswordFields } from './guest-fields.tsx';
import { useGuestForm } from './guest-form.ts';
import { REGISTER_RULES, type RegisterValues } from './guest-rules.ts';
import { TermsLabel } from './terms-label.tsx';

export interface RegisteredAccount {
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
  onSuccess: (registered: RegisteredAccount) => void;
}

export const RegisterForm = ({ email, invitation, onSuccess }: RegisterFormProps) => {
  const { form, ...guest } = useGuestForm<RegisterValues>({
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
    <GuestFields {...guest} button={t('register.button')}>
      <EmailField {...form.getInputProps('email')} />
      <NewPasswordFields
        first={{ label: t('guest.password'), ...form.getInputProps('password') }}
        again={{ label: t('register.repeat_password'), ...form.getInputProps('repeatPassword') }}
      />
      <Checkbox
        size="md"
        label={<TermsLabel />}
        {...form.getInputProps('accepted', { type: 'checkbox' })}
        error={form.errors.accepted && <span role="alert">{form.errors.accepted}</span>}
        aria-invalid={Boolean(form.errors.accepted)}
      />
    </GuestFields>
  );
};
