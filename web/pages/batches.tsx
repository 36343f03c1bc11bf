import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Profile } from '../../contract/accounts.ts';
import { profileQuery } from '../accounts/profile-query.ts';
import { BatchCard } from '../batches/batch-card.tsx';
import { BATCH_COLUMNS, nameOf } from '../batches/batch-columns.tsx';
import { type BatchRecord, batchesQuery } from '../batches/batch-queries.ts';
import { t } from '../i18n/translate.ts';
import { DataList } from '../ui/data-list/data-list.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import { useShowChecked } from './use-show-checked.ts';

const rowId = ({ _id }: BatchRecord) => _id;

const Files = ({ profile }: { profile: Profile }) => {
  const query = useInfiniteQuery(batchesQuery(profile._id));
  const onChecked = useShowChecked();
  return (
    <DataList
      name="batches"
      label={t('batches.title')}
      columns={BATCH_COLUMNS}
      rows={query.data?.pages.flatMap(({ batches }) => batches) ?? []}
      rowId={rowId}
      query={query}
      failed={t('batches.load_failed')}
      empty={t('batches.none')}
      tools={<Link to="/dashboard/messages/send">{t('batches.send_file')}</Link>}
      panel={{
        title: nameOf,
        content: (batch) => (
          <>
            <Link to="/dashboard/messages/batches/$batchId" params={{ batchId: batch._id }}>
              {t('batches.open')}
            </Link>
            <BatchCard batch={batch} own={batch.accountId === profile._id} onChecked={onChecked} />
          </>
        ),
      }}
    />
  );
};

export const Batches = () => {
  const { data: profile, isError, error, isFetching, refetch } = useQuery(profileQuery);
  return (
    <>
      <PageTitle title={t('batches.title')} />
      <MessagesTabs />
      {profile ? (
        <Files profile={profile} />
      ) : (
        isError && (
          <LoadFailure
            text={t('batches.load_failed')}
            reason={error.message}
            tryAgain={t('layout.try_again')}
            retrying={isFetching}
            onRetry={refetch}
          />
        )
      )}
    </>
  );
};
