import { Skeleton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { profileQuery } from '../accounts/profile-query.ts';
import { t } from '../i18n/translate.ts';
import { termsQuery } from '../messages/message-queries.ts';
import { CHANNELS, waysOf } from '../messages/offered-ways.ts';
import { Results } from '../messages/results.tsx';
import { SendForm } from '../messages/send-form.tsx';
import { startup } from '../startup/startup.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Panel } from '../ui/panel.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import classes from './send-message.module.css';

const route = getRouteApi('/dashboard/messages/send');

const Form = () => {
  const { phone, channel } = route.useSearch();
  const profile = useQuery(profileQuery);
  const terms = useQueries({ queries: CHANNELS.map((channel) => termsQuery(channel)) });
  const asked = [profile, ...terms];
  const failed = asked.filter((query) => query.data === undefined && query.isError);
  if (failed[0])
    return (
      <LoadFailure
        text={t('send.failed')}
        reason={failed[0].error?.message}
        tryAgain={t('layout.try_again')}
        onRetry={() => {
          for (const query of failed) void query.refetch();
        }}
      />
    );
  if (!profile.data || asked.some((query) => query.data === undefined))
    return <Skeleton height={420} radius="md" />;
  const [first, ...others] = waysOf(
    terms.map(({ data }) => data ?? null),
    profile.data.setting.sms.dedicatedPhones,
  );
  if (!first) return <Notice title={t('send.no_channel')} />;
  return (
    <SendForm
      accountId={profile.data._id}
      ways={[first, ...others]}
      countries={startup().availableSmsCountryCodes}
      to={phone === undefined ? undefined : { phone, channel }}
    />
  );
};

export const SendMessage = () => (
  <>
    <PageTitle title={t('send.title')} />
    <MessagesTabs />
    <div className={classes.panels}>
      <Panel title={t('send.single')}>
        <Form />
      </Panel>
      <Results />
    </div>
  </>
);
