import { Badge, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiInfoQuery } from '../../customer/accounts/api-info-query.ts';
import { ProfileCards } from '../../customer/accounts/profile-cards.tsx';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { Glance } from '../../office/billing/glance.tsx';
import { StartList } from './start-list.tsx';

/** Opening the page reloads the profile, and the API details after it. */
export const Profile = () => {
  const profile = useQuery({ ...profileQuery, refetchOnMount: 'always' });
  const apiInfo = useQuery({
    ...apiInfoQuery(profile.data?._id),
    enabled: profile.isSuccess && profile.isFetchedAfterMount,
    refetchOnMount: 'always',
  });
  return (
    <>
      <PageTitle title={t('profile.title')}>
        {profile.data?.admin && (
          <Badge size="lg" variant="filled">
            {t('profile.admin')}
          </Badge>
        )}
      </PageTitle>
      <Stack>
        {profile.isError && (
          <LoadFailure
            text={t('profile.failed')}
            reason={profile.error.message}
            tryAgain={t('layout.try_again')}
            retrying={profile.isFetching}
            onRetry={profile.refetch}
          />
        )}
        {(profile.data || !profile.isError) && <ProfileCards profile={profile.data} />}
        {profile.data && <StartList profile={profile.data} />}
        {profile.data && <Glance accountId={profile.data._id} />}
        {apiInfo.isError && (
          <LoadFailure
            text={t('profile.api_info_failed')}
            reason={apiInfo.error.message}
            tryAgain={t('layout.try_again')}
            retrying={apiInfo.isFetching}
            onRetry={apiInfo.refetch}
          />
        )}
      </Stack>
    </>
  );
};
