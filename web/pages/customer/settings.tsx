import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CloseAccount } from '../../customer/accounts/close-account.tsx';
import { EmailSetting } from '../../customer/accounts/email-setting.tsx';
import { ExportData } from '../../customer/accounts/export-data.tsx';
import { Visits } from '../../customer/accounts/visits.tsx';
import { WebhookSetting } from '../../customer/accounts/webhook-setting.tsx';
import { SendersPanel } from '../../customer/senders/senders-panel.tsx';
import { AutoChargeSetting } from '../../customer/wallet/auto-charge-setting.tsx';
import { CurrencySetting } from '../../customer/wallet/currency-setting.tsx';
import { cardsQuery } from '../../customer/wallet/wallet-queries.ts';
import type { Answer } from '../../ground/api/call.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { mayCall } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from './settings.module.css';

const Panels = ({ profile }: { profile: Answer<'GET /account/me/profile'> }) => {
  const cards = useQuery(cardsQuery);
  const { _id: accountId, currency, setting, paymentSetting } = profile;
  return (
    <div className={classes.panels}>
      <Panel title={t('settings.payment')}>
        <div className={classes.fields}>
          <CurrencySetting accountId={accountId} currency={currency} />
          {cards.isError && (
            <LoadFailure
              text={t('cards.failed')}
              reason={cards.error.message}
              tryAgain={t('layout.try_again')}
              onRetry={cards.refetch}
            />
          )}
          <AutoChargeSetting accountId={accountId} setting={paymentSetting} cards={cards.data} />
        </div>
      </Panel>
      <Panel title={t('settings.messages')}>
        <div className={classes.fields}>
          <div>
            <WebhookSetting accountId={accountId} webhook={setting.webhook} />
            <Link className={classes.link} to="/dashboard/integration/events">
              {t('events.see')}
            </Link>
          </div>
          <EmailSetting accountId={accountId} receiveEmail={setting.receiveEmail} />
        </div>
      </Panel>
      <SendersPanel accountId={accountId} />
      <Visits accountId={accountId} />
      <Panel title={t('settings.data')}>
        <div className={classes.fields}>
          <ExportData accountId={accountId} />
          <CloseAccount profile={profile} />
          {mayCall(profile, 'GET /admin/retention') && (
            <Link to="/dashboard/retention">{t('retention.see')}</Link>
          )}
          {mayCall(profile, 'GET /admin/accounts') && (
            <Link to="/dashboard/accounts">{t('customers.title')}</Link>
          )}
        </div>
      </Panel>
    </div>
  );
};

export const Settings = () => {
  const profile = useQuery({ ...profileQuery, refetchOnMount: 'always' });
  return (
    <>
      <PageTitle title={t('settings.title')} />
      {profile.isError && (
        <LoadFailure
          text={t('settings.failed')}
          reason={profile.error.message}
          tryAgain={t('layout.try_again')}
          onRetry={profile.refetch}
        />
      )}
      {profile.isPending && <Skeleton height={320} radius="md" />}
      {profile.data && <Panels profile={profile.data} />}
    </>
  );
};
