import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Answer, call } from '../../ground/api/call.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Tag } from '../../ground/ui/tag.tsx';

type Invitation = Answer<'GET /admin/invitations'>['invitations'][number];

const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => call('GET /admin/invitations'),
  refetchOnMount: 'always',
});

const TakeBack = ({ invitation: { invitationId, email, usedAt } }: { invitation: Invitation }) => {
  const may = useMay();
  const remove = useSave(() => call('DELETE /admin/invitations/:invitationId', { params: { invitationId } }));
  if (usedAt || !may('DELETE /admin/invitations/:invitationId')) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('customers.take_back_from', { email })}
      loading={remove.isPending}
      onClick={() => remove.mutate(undefined)}
    >
      {t('customers.take_back')}
    </Button>
  );
};

const idOf = ({ invitationId }: Invitation): string => invitationId;
const COLUMNS: Column<Invitation>[] = [
  { id: 'email', label: () => t('guest.email'), cell: ({ email }) => email, width: 12, grow: 1, line: 1 },
  {
    id: 'state',
    label: () => t('customers.state'),
    cell: ({ usedAt }) => (
      <Tag tone={usedAt ? 'good' : 'wait'}>{usedAt ? t('customers.registered') : t('customers.open')}</Tag>
    ),
    width: 8,
    line: 2,
  },
  {
    id: 'expires',
    label: () => t('customers.expires'),
    cell: ({ expiresAt }) => <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>,
    width: 10,
    line: 2,
  },
  {
    id: 'remove',
    label: () => t('customers.take_back'),
    kind: 'actions',
    cell: (invitation) => <TakeBack invitation={invitation} />,
    width: 7,
    line: 1,
  },
];

/** Who was invited to register, until the invitation ends; nothing is shown while nobody is. */
export const InvitationsPanel = () => {
  const { data } = useQuery(invitationsQuery);
  const rows = useMemo(() => data?.invitations ?? [], [data]);
  if (rows.length === 0) return null;
  return (
    <Panel title={t('customers.invitations')}>
      <DataList
        name="invitations"
        label={t('customers.invitations')}
        columns={COLUMNS}
        rows={rows}
        rowId={idOf}
        empty=""
      />
    </Panel>
  );
};
