import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { zonesQuery } from '../../office/query/query-queries.ts';
import { QueryTool } from '../../office/query/query-tool.tsx';
import { QfTabs } from './qf-tabs.tsx';

/** For admins: the server refuses all other accounts. */
export const Query = () => {
  const zones = useQuery(zonesQuery);
  return (
    <>
      <PageTitle title={t('qf.title')} />
      <QfTabs />
      {zones.isPending && <Skeleton height={420} radius="md" />}
      {zones.isError && (
        <LoadFailure
          text={t('qf.failed')}
          reason={zones.error.message}
          tryAgain={t('layout.try_again')}
          retrying={zones.isFetching}
          onRetry={zones.refetch}
        />
      )}
      {zones.data?.length === 0 && <Notice title={t('qf.no_zones')} text={t('qf.set_zones')} />}
      {zones.data && zones.data.length > 0 && <QueryTool zones={zones.data} />}
    </>
  );
};
