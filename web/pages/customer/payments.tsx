import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCreditCard, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AddCardDialog } from '../../customer/wallet/cards/add-card-dialog.tsx';
import { PaymentCards } from '../../customer/wallet/cards/payment-cards.tsx';
import { Ledger } from '../../customer/wallet/ledger/ledger.tsx';
import { usePaymentFlow } from '../../customer/wallet/payment-flow.ts';
import { PaymentHistory } from '../../customer/wallet/payment-history.tsx';
import { SandboxNotice } from '../../customer/wallet/sandbox-notice.tsx';
import { TopUpDialog } from '../../customer/wallet/top-up-dialog.tsx';
import { cardsQuery } from '../../customer/wallet/wallet-queries.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTabs } from '../../ground/ui/layout/page-tabs.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import classes from './payments.module.css';

const route = getRouteApi('/dashboard/payments');

export const Payments = () => {
  const { tab, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const loading = useQuery(profileQuery);
  const profile = loading.data;
  const { data: cards } = useQuery(cardsQuery);
  const [adding, addCard] = useDisclosure();
  const flow = usePaymentFlow(cards);
  // Another tab may have stored only a token; the profile then says whose it is.
  const accountId = storedAccountId() ?? profile?._id;
  const setting = profile?.paymentSetting;
  return (
    <>
      <PageTitle title={t('payments.title')}>
        {profile && (
          <span className={classes.balance}>
            {t('profile.balance')} <strong>{formatAmount(profile.balance)}</strong>
          </span>
        )}
        <div className={classes.buttons}>
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            onClick={addCard.open}
          >
            {t('cards.add')}
          </Button>
          <Button leftSection={<IconCreditCard size={18} aria-hidden="true" />} onClick={flow.open}>
            {t('payments.top_up')}
          </Button>
        </div>
      </PageTitle>
      {loading.isError && (
        <LoadFailure
          text={t('profile.failed')}
          reason={loading.error.message}
          tryAgain={t('layout.try_again')}
          retrying={loading.isFetching}
          onRetry={loading.refetch}
        />
      )}
      {!accountId && loading.isPending && <Skeleton height={320} radius="md" />}
      {accountId && (
        <>
          <PageTabs
            label={t('payments.title')}
            tabs={[
              { label: t('payments.title'), to: '/dashboard/payments', search: {} },
              {
                label: t('payments.ledger'),
                to: '/dashboard/payments',
                search: { ...filter, tab: 'ledger' },
              },
            ]}
          />
          <div className={classes.panels}>
            <SandboxNotice />
            {tab === undefined ? (
              <>
                <PaymentCards autoChargeCardId={(setting?.autoCharge && setting.cardId) || undefined} />
                <PaymentHistory accountId={accountId} onResume={flow.resume} />
              </>
            ) : (
              <Ledger
                accountId={accountId}
                filter={filter}
                onFilter={(chosen) =>
                  void navigate({
                    search: (now) => ({ ...now, ...chosen }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
            )}
          </div>
        </>
      )}
      <AddCardDialog opened={adding} onClose={addCard.close} />
      <TopUpDialog
        flow={flow}
        cards={cards}
        currency={profile?.currency}
        onAddCard={() => {
          flow.close();
          addCard.open();
        }}
      />
    </>
  );
};
