import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDoorExit } from '@tabler/icons-react';
import type { Profile } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { endSession } from '../../ground/api/session.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import fields from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField, TextField } from '../../ground/ui/forms/form-fields.tsx';
import classes from './account-data.module.css';
import { type FormRule, useGuestForm } from './guest-form.ts';

interface CloseAccountProps {
  profile: Pick<Profile, '_id' | 'email' | 'balance'>;
}

const rulesFor = (own: string): FormRule<{ email: string; password: string }>[] => [
  {
    field: 'email',
    fails: ({ email }) => email.trim().toLowerCase() !== own,
    text: () => t('settings.close_email_differs'),
  },
  { field: 'password', fails: ({ password }) => password === '', text: () => t('guest.password_empty') },
];

const CloseForm = ({
  profile: { _id: accountId, email: own, balance },
  onClose,
}: CloseAccountProps & { onClose: () => void }) => {
  const { form, failure, sending, onSubmit, alertRef } = useGuestForm({
    initialValues: { email: '', password: '' },
    rules: rulesFor(own),
    fieldOf: { E_PASSWORD_WRONG: 'password', E_CONFIRMATION_DIFFERS: 'email' },
    submit: async (body) => {
      await call('POST /account/:accountId/close', { params: { accountId }, body });
      endSession('closed');
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} className={fields.form} aria-label={t('settings.close_title')}>
      <ul className={classes.points}>
        <li>{t('settings.close_sending')}</li>
        <li>{t('settings.close_access')}</li>
        <li>
          {balance > 0
            ? t('settings.close_balance', { balance: formatAmount(balance) })
            : t('settings.close_no_balance')}
        </li>
        <li>{t('settings.close_data')}</li>
      </ul>
      {failure && <FailureAlert ref={alertRef} text={t('guest.error', { message: failure.message })} />}
      <TextField
        label={t('settings.close_email')}
        description={own}
        type="email"
        autoComplete="off"
        maxLength={320}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('guest.password')}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={sending}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" color="red.9" loading={sending}>
          {t('settings.close_button')}
        </Button>
      </Group>
    </form>
  );
};

/** Says what happens, and asks for what only the owner knows. Ending the session leads to the sign-in page. */
export const CloseAccount = ({ profile }: CloseAccountProps) => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <div className={classes.row}>
      <div>
        <h3>{t('settings.close')}</h3>
        <p>{t('settings.close_hint')}</p>
      </div>
      <Button
        variant="outline"
        color="var(--mantine-color-error)"
        leftSection={<IconDoorExit size={18} aria-hidden="true" />}
        onClick={open}
        aria-haspopup="dialog"
      >
        {t('settings.close_open')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('settings.close_title')} close={t('layout.close')}>
        <CloseForm profile={profile} onClose={close} />
      </Dialog>
    </div>
  );
};
