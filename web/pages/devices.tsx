import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TermsLabel } from '../accounts/terms-label.tsx';
import { profileQuery } from '../api/profile-query.ts';
import { mayCall } from '../api/use-may.ts';
import { DevicesList } from '../devices/devices-list.tsx';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { PageTitle } from '../ui/page-title.tsx';

export const Devices = () => {
  const { data: profile, isError, error, isFetching, refetch } = useQuery(profileQuery);
  return (
    <div data-wide>
      <PageTitle title={t('devices.title')} />
      {profile ? (
        <DevicesList admin={mayCall(profile, 'GET /devices')} termsLabel={<TermsLabel />} />
      ) : isError ? (
        <LoadFailure
          text={t('devices.failed')}
          reason={error.message}
          tryAgain={t('layout.try_again')}
          retrying={isFetching}
          onRetry={refetch}
        />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </div>
  );
};
