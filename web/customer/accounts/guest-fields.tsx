import type { TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { PASSWORD_MIN_LENGTH } from '../../../contract/ground/constants.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField, SubmitButton, TextField } from '../../ground/ui/forms/form-fields.tsx';
import type { GuestForm } from './guest-form.ts';

interface GuestFieldsProps extends Pick<GuestForm<never>, 'failure' | 'sending' | 'onSubmit' | 'alertRef'> {
  /** Shows the reason of a failure in a line of its own. */
  reasonApart?: boolean;
  /** What the button says. */
  button: string;
  children: ReactNode;
}

/** The fields of a guest's form, between why it failed and its button. */
export const GuestFields = ({
  failure,
  reasonApart = false,
  button,
  children,
  ...form
}: GuestFieldsProps) => (
  <form noValidate onSubmit={form.onSubmit} className={classes.form}>
    {failure && (
      <FailureAlert
        ref={form.alertRef}
        {...(reasonApart
          ? { text: t('guest.error_occurred'), reason: failure.message }
          : { text: t('guest.error', { message: failure.message }) })}
      />
    )}
    {children}
    <SubmitButton sending={form.sending} label={button} />
  </form>
);

export const EmailField = (input: TextInputProps) => (
  <TextField label={t('guest.email')} type="email" autoComplete="username" {...input} />
);

export const GuestPasswordField = (input: TextInputProps) => (
  <PasswordField show={t('guest.show_password')} hide={t('guest.hide_password')} {...input} />
);

/** A new password, with what is asked of it, and again. */
export const NewPasswordFields = ({ first, again }: { first: TextInputProps; again: TextInputProps }) => (
  <>
    <GuestPasswordField
      description={t('guest.password_hint', { count: PASSWORD_MIN_LENGTH })}
      autoComplete="new-password"
      {...first}
    />
    <GuestPasswordField autoComplete="new-password" {...again} />
  </>
);
