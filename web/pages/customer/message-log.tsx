import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { defaultLog, type LogFilters, readLog } from '../../traffic/messages/log/log-filters.ts';
import { MessageLog as Log } from '../../traffic/messages/log/message-log.tsx';
import { LazyMessageView } from './lazy-message-view.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import { OwnAccount } from './own-account.tsx';

const route = getRouteApi('/dashboard/messages/log');

const SearchedLog = ({ accountId }: { accountId: AccountId }) => {
  const given = route.useSearch({ select: ({ filters }) => filters, structuralSharing: true });
  const navigate = route.useNavigate();
  const filters = useMemo(() => readLog(given), [given]);
  const onFilters = useCallback(
    (next: LogFilters, { replace } = { replace: false }) => {
      // The defaults are not written into the address, so that it means the latest days whenever it is opened.
      const plain = JSON.stringify(next) === JSON.stringify(defaultLog());
      void navigate({ search: plain ? {} : { filters: next }, replace, resetScroll: false });
    },
    [navigate],
  );
  return (
    <Log
      accountId={accountId}
      filters={filters}
      onFilters={onFilters}
      details={({ _id }) => <LazyMessageView messageId={_id} reader={{ _id: accountId, admin: false }} />}
    />
  );
};

export const MessageLog = () => (
  <div data-wide>
    <PageTitle title={t('log.title')} />
    <MessagesTabs />
    <OwnAccount>{(accountId) => <SearchedLog accountId={accountId} />}</OwnAccount>
  </div>
);
