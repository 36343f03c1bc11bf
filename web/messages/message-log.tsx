import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Found } from './found.tsx';
import { LogFields } from './log-fields.tsx';
import { LOG_PAGE_SIZE, type LogFilters } from './log-filters.ts';
import { logQuery } from './log-query.ts';
import { LogTable } from './log-table.tsx';
import list from './message-list.module.css';
import { pageCount } from './page-links.ts';
import { Pager } from './pager.tsx';
import type { Sorting } from './sort-head.tsx';
import { useStable } from './use-stable.ts';

interface MessageLogProps {
  accountId: AccountId;
  filters: LogFilters;
  onFilters: (filters: LogFilters, options?: { replace: boolean }) => void;
}

/** The messages that an account sent and received, with their prices, fifteen a page. */
export const MessageLog = ({ accountId, filters, onFilters }: MessageLogProps) => {
  const log = useQuery(logQuery(accountId, filters));
  const messages = (!log.isError && log.data?.messages) || [];
  const total = (!log.isError && log.data?.total) || 0;
  const pages = pageCount(total, LOG_PAGE_SIZE);
  const current = !log.isPlaceholderData && log.isSuccess;

  // Messages may have been removed since the address was saved.
  const lastPage = current && total > 0 && filters.page > pages ? pages : undefined;
  useEffect(() => {
    if (lastPage) onFilters({ ...filters, page: lastPage }, { replace: true });
  }, [lastPage, filters, onFilters]);

  const search = (part: Partial<LogFilters>) => {
    const next = { ...filters, ...part, page: 1 };
    // The same search again reloads the log.
    if (JSON.stringify(next) === JSON.stringify(filters)) void log.refetch();
    else onFilters(next);
  };
  const onSort = useStable((sorting: Sorting) => search(sorting as Partial<LogFilters>));
  const onPage = useStable((page: number) => onFilters({ ...filters, page }));
  const { sort, order } = filters;
  const sorting = useMemo(() => ({ sort, order }), [sort, order]);

  return (
    <>
      <LogFields filters={filters} onSearch={search}>
        <Found
          loading={log.isFetching}
          before={(filters.page - 1) * LOG_PAGE_SIZE}
          shown={messages.length}
          total={total}
        />
      </LogFields>
      <section className={list.list} aria-label={t('log.title')} aria-busy={log.isFetching}>
        {log.isError && (
          <LoadFailure
            text={t('log.failed')}
            reason={log.error.message}
            tryAgain={t('layout.try_again')}
            retrying={log.isFetching}
            onRetry={() => void log.refetch()}
          />
        )}
        {log.isPending ? (
          <Skeleton height={320} radius="md" my="sm" />
        ) : (
          <LogTable messages={messages} sorting={sorting} onSort={onSort} />
        )}
        {messages.length > 0 && (
          <Pager label={t('log.pages')} page={filters.page} pages={pages} links={false} onPage={onPage} />
        )}
        {current && messages.length === 0 && <p className={list.empty}>{t('messages.none')}</p>}
      </section>
    </>
  );
};
