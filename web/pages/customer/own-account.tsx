import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';

/** Another tab may have stored only a token; the profile then says whose it is. */
export const OwnAccount = ({ children }: { children: (accountId: AccountId) => ReactNode }) => {
  const stored = storedAccountId();
  const profile = useQuery({ ...profileQuery, enabled: !stored });
  const accountId = stored ?? profile.data?._id;
  if (accountId) return children(accountId);
  if (profile.isError)
    return (
      <LoadFailure
        text={t('profile.failed')}
        reason={profile.error.message}
        tryAgain={t('layout.try_again')}
        retrying={profile.isFetching}
        onRetry={profile.refetch}
      />
    );
  return <Skeleton height={320} radius="md" />;
};
