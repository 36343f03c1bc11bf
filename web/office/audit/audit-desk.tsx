import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AuditFilter } from '../../../contract/office/audit.ts';
import { call } from '../../ground/api/call.ts';
import { download } from '../../ground/api/download.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { whileLoading } from '../../ground/ui/feedback/loading.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';
import { SearchForm } from '../../ground/ui/forms/search-form.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { readAuditFilter } from './audit-filter.ts';
import { AuditPanel } from './audit-panel.tsx';
import { type AuditEntry, auditQuery } from './audit-query.ts';
import { auditSearch } from './search-fields.ts';

interface AuditDeskProps {
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

const idOf = ({ _id }: AuditEntry): string => _id;

/** What admins did and read: found, shown with before and after, verified and exported. */
export const AuditDesk = ({ filter, onFilter }: AuditDeskProps) => {
  const found = useInfiniteQuery({
    ...auditQuery(filter),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const entries = useMemo(() => found.data?.pages.flatMap((page) => page.entries) ?? [], [found.data]);
  const verify = useMutation({
    mutationFn: () => call('GET /admin/audit/verification'),
    onError: ({ message }) => toastFailure(message),
  });
  const verified = verify.data;
  return (
    <Panel title={t('audit.search')}>
      <SearchForm
        key={JSON.stringify(filter)}
        label={t('audit.search')}
        fields={auditSearch()}
        filter={filter}
        onSearch={(draft) => onFilter(readAuditFilter(draft))}
      />
      {verified && (
        <Notice
          alert
          title={
            verified.fault
              ? t('audit.broken', { id: verified.fault._id })
              : t('audit.whole', { count: formatCount(verified.entries) })
          }
          text={t('audit.head', { head: verified.head })}
        />
      )}
      <DataList
        name="admin-audit"
        label={t('audit.title')}
        columns={AUDIT_COLUMNS}
        rows={entries}
        rowId={idOf}
        query={found}
        failed={t('audit.failed')}
        empty={t('audit.none')}
        tools={
          <>
            <Button
              size="xs"
              variant="default"
              loading={verify.isPending}
              onClick={() => verify.mutate(undefined)}
            >
              {t('audit.verify')}
            </Button>
            <SaveButton
              size="xs"
              label={t('ledger.export')}
              save={() =>
                whileLoading(() => download('/admin/audit.csv', { query: filter }, 'audit-log.csv'))
              }
            />
          </>
        }
        panel={{
          title: ({ call: name }) => name,
          content: (entry) => <AuditPanel key={entry._id} entry={entry} />,
        }}
      />
    </Panel>
  );
};
