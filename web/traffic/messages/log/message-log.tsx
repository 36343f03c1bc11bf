import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { isQuiet } from '../../../ground/api/follow.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { DataList } from '../../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../../ground/ui/data-list/no-rows.ts';
import { useStable } from '../../../ground/ui/use-stable.ts';
import list from '../list/message-list.module.css';
import { pageCount } from '../list/page-links.ts';
import { Pager } from '../list/pager.tsx';
import { shortId } from '../list/short-id.ts';
import { Found } from '../search/found.tsx';
import type { ListedMessage } from '../search/list-query.ts';
import { LOG_COLUMNS } from './log-columns.tsx';
import { LogFields } from './log-fields.tsx';
import { LOG_PAGE_SIZE, type LogFilters } from './log-filters.ts';
import { logQuery } from './log-query.ts';

interface MessageLogProps {
  accountId: AccountId;
  filters: LogFilters;
  onFilters: (filters: LogFilters, options?: { replace: boolean }) => void;
  /** All that is known about one message, for the panel beside the list. */
  details: (message: ListedMessage) => ReactNode;
}

const idOf = ({ _id }: ListedMessage): string => _id;

/** The messages that an account sent and received, with their prices, fifteen a page. */
export const MessageLog = ({ accountId, filters, onFilters, details }: MessageLogProps) => {
  const log = useQuery(logQuery(accountId, filters));
  const { messages = NO_ROWS, total = 0 } = log.data ?? {};
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
  const onPage = useStable((page: number) => onFilters({ ...filters, page }));

  return (
    <>
      <LogFields filters={filters} onSearch={search}>
        <Found
          loading={log.isFetching && !isQuiet(log)}
          failed={log.isError}
          before={(filters.page - 1) * LOG_PAGE_SIZE}
          shown={messages.length}
          total={total}
        />
      </LogFields>
      <section className={list.list} aria-label={t('log.title')}>
        <DataList
          name="message-log"
          label={t('log.title')}
          columns={LOG_COLUMNS}
          rows={messages}
          rowId={idOf}
          query={log}
          failed={t('log.failed')}
          empty={t('messages.none')}
          expected={LOG_PAGE_SIZE}
          sorting={filters}
          onSort={(sorting) => search(sorting as Partial<LogFilters>)}
          panel={{ title: ({ _id }) => `${t('messages.message')} ${shortId(_id)}`, content: details }}
        />
        {messages.length > 0 && (
          <Pager label={t('log.pages')} page={filters.page} pages={pages} links={false} onPage={onPage} />
        )}
      </section>
    </>
  );
};
