import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ADMIN_ROLES, type AdminRole } from '../../../contract/customer/admin-roles.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import lists from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';

type Admins = Answer<'GET /admin/admins'>;
type Listed = Admins['admins'][number] | (Admins['invited'][number] & { _id?: undefined });

/** Why somebody is no admin yet. */
const stateOf = (admin: Listed): string | undefined => {
  if (admin._id === undefined) return t('admins.waiting');
  return admin.activated ? undefined : t('admins.not_activated');
};

const roles = () => ADMIN_ROLES.map((value) => ({ value, label: t(`admins.role.${value}`) }));

const RoleOf = ({ admin: { _id, email, role } }: { admin: Listed }) => {
  const change = useSave((next: AdminRole) =>
    call('PUT /admin/admins/:accountId', { params: { accountId: _id as never }, body: { role: next } }),
  );
  if (_id === undefined) return t(`admins.role.${role}`);
  return (
    <NativeSelect
      size="xs"
      aria-label={t('admins.role_of', { email })}
      data={roles()}
      value={change.isPending ? change.variables : role}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.value as AdminRole)}
    />
  );
};

const Remove = ({ admin: { _id, email } }: { admin: Admins['admins'][number] }) => {
  const [asking, setAsking] = useState(false);
  const remove = useSave(() => call('DELETE /admin/admins/:accountId', { params: { accountId: _id } }));
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        {t('admins.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        destructive
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined).catch(() => {});
          setAsking(false);
        }}
        title={t('admins.remove')}
        cancel={t('layout.cancel')}
        confirm={t('admins.remove')}
        close={t('layout.close')}
      >
        <p>{t('admins.remove_text', { email })}</p>
      </ConfirmDialog>
    </>
  );
};

const TakeBack = ({ invitation: { invitationId, email } }: { invitation: Admins['invited'][number] }) => {
  const remove = useSave(() => call('DELETE /admin/invitations/:invitationId', { params: { invitationId } }));
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('customers.take_back_from', { email })}
      loading={remove.isPending}
      onClick={() => remove.mutate(undefined)}
    >
      {t('customers.take_back')}
    </Button>
  );
};

const COLUMNS: Column<Listed>[] = [
  { id: 'email', label: () => t('guest.email'), cell: ({ email }) => email, width: 12, grow: 1, line: 1 },
  {
    id: 'state',
    label: () => t('customers.state'),
    cell: (admin) => {
      const state = stateOf(admin);
      return state && <Tag tone="wait">{state}</Tag>;
    },
    width: 8,
    line: 1,
  },
  {
    id: 'role',
    label: () => t('admins.role'),
    cell: (admin) => <RoleOf admin={admin} />,
    width: 18,
    line: 2,
  },
  {
    id: 'actions',
    label: () => t('lists.actions'),
    cell: (admin) => (admin._id === undefined ? <TakeBack invitation={admin} /> : <Remove admin={admin} />),
    width: 13,
    kind: 'actions',
    line: 2,
  },
];

const AddForm = () => {
  const form = useForm({
    initialValues: { email: '', role: 'support' },
    validate: { email: (typed) => typed.trim() === '' && t('guest.email_invalid') },
  });
  const add = useSave((body: { email: string; role: AdminRole }) => call('POST /admin/admins', { body }));
  return (
    <form
      className={lists.filter}
      noValidate
      aria-label={t('admins.add')}
      onSubmit={form.onSubmit(async ({ email, role }) => {
        await add.mutateAsync({ email: email.trim(), role: role as AdminRole }).then(form.reset, () => {});
      })}
    >
      <TextField size="sm" label={t('guest.email')} autoComplete="off" {...form.getInputProps('email')} />
      <NativeSelect label={t('admins.role')} data={roles()} {...form.getInputProps('role')} />
      <div className={lists.tools}>
        <Button type="submit" loading={add.isPending}>
          {t('admins.add')}
        </Button>
      </div>
    </form>
  );
};

/** Who the admins are and what each may do; for owners. */
export const AdminsDesk = () => {
  const found = useQuery({
    queryKey: ['admin-admins'],
    queryFn: () => call('GET /admin/admins'),
    refetchOnMount: 'always',
  });
  const rows = useMemo(
    (): Listed[] => [...(found.data?.admins ?? []), ...(found.data?.invited ?? [])],
    [found.data],
  );
  return (
    <Panel title={t('admins.title')}>
      <p className={lists.hint}>{t('admins.add_text')}</p>
      <AddForm />
      <DataList
        name="admin-admins"
        label={t('admins.title')}
        columns={COLUMNS}
        rows={rows}
        rowId={({ email }) => email}
        query={found}
        failed={t('admins.failed')}
        empty={t('admins.none')}
      />
    </Panel>
  );
};
