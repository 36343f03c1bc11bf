import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import list from '../../ground/ui/list.module.css';
import { AdjustDialog, LimitsDialog, RestoreDialog, SuspendDialog, ViewDialog } from './customer-dialogs.tsx';
import type { Customer } from './customers-query.ts';

const DIALOGS = {
  view: ViewDialog,
  adjust: AdjustDialog,
  limits: LimitsDialog,
  suspend: SuspendDialog,
  restore: RestoreDialog,
};
/** The call that each makes. */
const CALLS = {
  view: 'POST /admin/accounts/:accountId/view',
  adjust: 'POST /account/:accountId/adjustment',
  limits: 'PUT /admin/accounts/:accountId/limits',
  suspend: 'POST /admin/accounts/:accountId/suspension',
  restore: 'DELETE /admin/accounts/:accountId/suspension',
} as const;
type DialogName = keyof typeof DIALOGS;

/** What an admin can do with an account, as its state and the admin's role allow. */
export const CustomerActions = ({ customer }: { customer: Customer }) => {
  const may = useMay();
  const [open, setOpen] = useState<DialogName>();
  const { _id: accountId, state, admin } = customer;
  const params = { accountId };
  const resend = useSave(() => call('POST /admin/accounts/:accountId/activationMail', { params }));
  const approve = useSave(async () => {
    await call('POST /admin/accounts/:accountId/approval', { params, body: { approved: true } });
    return { message: t('customers.approved') };
  });
  const isOpen = state !== 'closed';
  const dialogButton = (name: DialogName, label: string, isShown: boolean): ReactNode =>
    isShown &&
    may(CALLS[name]) && (
      <Button
        key={name}
        size="xs"
        variant={name === 'suspend' ? 'filled' : 'default'}
        {...(name === 'suspend' && { color: 'red.9' })}
        onClick={() => setOpen(name)}
      >
        {label}
      </Button>
    );
  const Opened = open && DIALOGS[open];
  if (accountId === storedAccountId()) return <p className={list.quiet}>{t('customers.own')}</p>;
  return (
    <Group gap="xs">
      {dialogButton('view', t('customers.view'), isOpen && !admin && state !== 'unactivated')}
      {dialogButton('adjust', t('customers.adjust'), isOpen && state !== 'unactivated')}
      {dialogButton('limits', t('customers.limits'), isOpen)}
      {state === 'unapproved' && may('POST /admin/accounts/:accountId/approval') && (
        <Button size="xs" loading={approve.isPending} onClick={() => approve.mutate(undefined)}>
          {t('customers.approve')}
        </Button>
      )}
      {state === 'unactivated' && may('POST /admin/accounts/:accountId/activationMail') && (
        <Button size="xs" loading={resend.isPending} onClick={() => resend.mutate(undefined)}>
          {t('customers.resend')}
        </Button>
      )}
      {dialogButton('suspend', t('customers.suspend'), isOpen && state !== 'suspended')}
      {dialogButton('restore', t('customers.restore'), state === 'suspended')}
      {Opened && <Opened customer={customer} onClose={() => setOpen(undefined)} />}
    </Group>
  );
};
