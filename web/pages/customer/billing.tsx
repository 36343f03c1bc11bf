import { NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import classes from '../../office/billing/billing.module.css';
import { BILLED_CHANNELS, billingDatesQuery, billQuery } from '../../office/billing/billing-queries.ts';
import { ChannelPanel } from '../../office/billing/channel-panel.tsx';
import { monthName } from '../../office/billing/date-names.ts';
import { DaysPanel } from '../../office/billing/days-panel.tsx';
import { centsOf, shareCents } from '../../office/billing/share-cents.ts';
import { StatementButton } from '../../office/billing/statement-button.tsx';

const route = getRouteApi('/dashboard/billing');

export const Billing = () => {
  const { date: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const profile = useQuery(profileQuery);
  const accountId = storedAccountId() ?? profile.data?._id;
  const dates = useQuery(billingDatesQuery(accountId));
  const known = dates.data?.dates ?? [];
  // Without a chosen month, the newest that has any messages; without any, the current month.
  const month = { accountId, date: wanted ?? known[0], enabled: wanted !== undefined || !dates.isPending };
  const bill = useQuery(billQuery(month));
  const date = month.date ?? bill.data?.date;
  const options = date && !known.includes(date) ? [date, ...known].sort().reverse() : known;
  const failure = bill.error ?? dates.error;
  const cents = bill.data
    ? shareCents(
        centsOf(bill.data.billingTotal),
        BILLED_CHANNELS.map((channel) => bill.data.usageInfo[channel].total),
      )
    : [];
  useEffect(() => {
    if (failure) toastFailure(failure.message);
  }, [failure]);
  return (
    <>
      <PageTitle title={t('billing.title')}>
        <div className={classes.tools}>
          <NativeSelect
            className={classes.month}
            label={t('billing.month')}
            data={options.map((value) => ({ value, label: monthName(value) }))}
            value={date ?? ''}
            disabled={options.length === 0}
            onChange={({ currentTarget }) =>
              void navigate({ search: { date: currentTarget.value }, replace: true, resetScroll: false })
            }
          />
          {accountId && date && <StatementButton accountId={accountId} date={date} />}
        </div>
      </PageTitle>
      <div className={classes.bill} aria-busy={bill.isFetching}>
        {failure && (
          <LoadFailure
            text={t('billing.failed')}
            reason={failure.message}
            tryAgain={t('layout.try_again')}
            retrying={bill.isFetching || dates.isFetching}
            onRetry={() => void Promise.all([dates.refetch(), bill.refetch()])}
          />
        )}
        {!failure && !bill.data && <Skeleton height={420} radius="md" />}
        {bill.data && (
          <>
            <section className={classes.grand} aria-labelledby="grand-total">
              <h2 id="grand-total">{t('billing.grand_total', { month: monthName(bill.data.date) })}</h2>
              <p>
                <small>USD</small> {formatAmount(centsOf(bill.data.billingTotal) / 100)}
              </p>
            </section>
            <DaysPanel month={month} />
            {BILLED_CHANNELS.map((channel, at) => (
              <ChannelPanel
                key={channel}
                channel={channel}
                usage={bill.data.usageInfo[channel]}
                cents={cents[at] ?? 0}
              />
            ))}
          </>
        )}
      </div>
    </>
  );
};
