import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiInfoQuery } from '../../customer/accounts/api-info-query.ts';
import { ApiCalls } from '../../customer/integration/api-calls.tsx';
import { ConfirmPassword } from '../../customer/integration/confirm-password.tsx';
import { SampleCode } from '../../customer/integration/sample-code.tsx';
import { SecretFields } from '../../customer/integration/secrets.tsx';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import classes from './integration.module.css';
import { IntegrationTabs } from './integration-tabs.tsx';

export const Integration = () => {
  const profile = useQuery(profileQuery);
  const accountId = profile.data?._id;
  const apiInfo = useQuery({ ...apiInfoQuery(accountId), refetchOnMount: 'always' });
  const [shown, setShown] = useState(false);
  /** What goes on once the password was typed. */
  const [pending, setPending] = useState<{ goOn: () => void }>();
  const failed = profile.isError ? profile : apiInfo.isError ? apiInfo : undefined;
  return (
    <>
      <PageTitle title={t('route.integration')} />
      <IntegrationTabs />
      <div className={classes.panels}>
        {failed && (
          <LoadFailure
            text={t('profile.api_info_failed')}
            reason={failed.error?.message}
            tryAgain={t('layout.try_again')}
            retrying={failed.isFetching}
            onRetry={() => void failed.refetch()}
          />
        )}
        {!failed && !apiInfo.data && (
          <>
            <Skeleton height={300} radius="md" />
            <Skeleton height={560} radius="md" />
          </>
        )}
        {accountId && apiInfo.data && (
          <>
            <SecretFields
              accountId={accountId}
              info={apiInfo.data}
              shown={shown}
              onToggle={() => setShown(!shown)}
              onUnmask={(goOn) => setPending({ goOn })}
            />
            <SampleCode
              info={apiInfo.data}
              shown={shown}
              onUnmask={() => setPending({ goOn: () => undefined })}
            />
            <ConfirmPassword
              accountId={accountId}
              opened={pending !== undefined}
              onClose={() => setPending(undefined)}
              onConfirmed={() => {
                pending?.goOn();
                setPending(undefined);
              }}
            />
          </>
        )}
        {accountId && <ApiCalls accountId={accountId} />}
      </div>
    </>
  );
};
