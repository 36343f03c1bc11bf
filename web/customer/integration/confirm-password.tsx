import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import fields from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField } from '../../ground/ui/forms/form-fields.tsx';

interface ConfirmPasswordProps {
  accountId: AccountId;
  opened: boolean;
  onClose: () => void;
  /** Called when the secrets are there. */
  onConfirmed: () => void;
}

const ConfirmForm = ({ accountId, onClose, onConfirmed }: Omit<ConfirmPasswordProps, 'opened'>) => {
  const form = useForm({ initialValues: { password: '' } });
  const confirm = async (body: { password: string }) => {
    try {
      await call('POST /account/:accountId/confirmPassword', { params: { accountId }, body });
      await queryClient.invalidateQueries();
      onConfirmed();
    } catch (error) {
      form.setFieldError('password', error instanceof Error ? error.message : '');
    }
  };
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(confirm)}
      className={fields.form}
      aria-label={t('integration.confirm_title')}
    >
      <p>{t('integration.confirm_text')}</p>
      <PasswordField
        label={t('guest.password')}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={form.submitting}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t('integration.confirm_button')}
        </Button>
      </Group>
    </form>
  );
};

/** Asks for the password before the secrets are shown: a session alone, on a machine left open, does not show them. */
export const ConfirmPassword = ({ opened, ...form }: ConfirmPasswordProps) => (
  <Dialog
    opened={opened}
    onClose={form.onClose}
    title={t('integration.confirm_title')}
    close={t('layout.close')}
  >
    <ConfirmForm {...form} />
  </Dialog>
);
