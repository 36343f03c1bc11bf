import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TermsLabel } from '../../customer/accounts/terms-label.tsx';
import { DevicesList } from '../../fleet/devices/devices-list.tsx';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { mayCall } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';

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
