import { Button, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatAmount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import steps from '../../ground/ui/layout/steps.module.css';
import { amountText, Kind, Status } from './payment-columns.tsx';
import { type FoundPayment, type PaymentStory as Story, storyQuery } from './payments-queries.ts';
import { RefundDialog } from './refund-dialog.tsx';

const TONES: Record<Story['steps'][number]['kind'], string | undefined> = {
  payment: undefined,
  webhook: 'waiting',
  ledger: 'good',
  refund: 'wait',
  mail: undefined,
};

const Actions = ({ payment }: { payment: FoundPayment }) => {
  const may = useMay();
  const [refunding, setRefunding] = useState(false);
  const reconcile = useSave(() =>
    call('POST /admin/payments/:paymentId/reconcile', { params: { paymentId: payment._id } }),
  );
  const isTopUp = payment.type === 'TOP_UP' || payment.type === 'AUTO_TOP_UP';
  return (
    isTopUp && (
      <Group gap="xs">
        {may('POST /admin/payments/:paymentId/reconcile') && (
          <Button
            variant="default"
            size="xs"
            loading={reconcile.isPending}
            onClick={() => reconcile.mutate(undefined)}
          >
            {t('payments_desk.reconcile')}
          </Button>
        )}
        {payment.left > 0 && may('POST /admin/payments/:paymentId/refund') && (
          <Button size="xs" color="red.9" onClick={() => setRefunding(true)}>
            {t('payments_desk.refund')}
          </Button>
        )}
        <RefundDialog payment={payment} opened={refunding} onClose={() => setRefunding(false)} />
      </Group>
    )
  );
};

const Steps = ({ story }: { story: Story }) => (
  <ol className={steps.steps} aria-label={t('payments_desk.story')}>
    {story.steps.map(({ at, kind, title, detail }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: Steps are only added at the end; two may be alike.
      <li key={place} data-tone={TONES[kind]}>
        <div className={steps.head}>
          <span className={steps.name}>{title}</span>
          <time dateTime={at}>{formatDateTime(at)}</time>
        </div>
        {detail !== '' && <p className={steps.texts}>{detail}</p>}
      </li>
    ))}
  </ol>
);

/** What the panel beside the list says of a payment, and what can be done with it. */
export const PaymentTimeline = ({ found }: { found: FoundPayment }) => {
  const story = useQuery(storyQuery(found._id));
  const payment = story.data?.payment ?? found;
  return (
    <>
      <Actions payment={payment} />
      <Facts
        facts={[
          { label: t('guest.email'), value: payment.email },
          { label: t('payments_desk.amount'), value: amountText(payment, payment.amount) },
          { label: 'USD', value: payment.currency !== 'USD' && formatAmount(payment.amountUsd) },
          {
            label: t('payments_desk.refunded'),
            value: payment.refunded > 0 && amountText(payment, payment.refunded),
          },
          { label: t('messages.status'), value: <Status payment={payment} /> },
          { label: t('payment.reason'), value: payment.reason },
          { label: t('ledger.kind'), value: <Kind payment={payment} /> },
          { label: t('payments_desk.card'), value: `${payment.card.brand} •••• ${payment.card.last4}` },
          { label: t('payments_desk.provider'), value: payment.provider },
          { label: t('payments_desk.ref'), value: payment.providerId },
          { label: 'ID', value: payment._id },
        ]}
      />
      {story.isPending && <Skeleton height={160} radius="md" />}
      {story.isError && (
        <LoadFailure
          text={t('payments_desk.story_failed')}
          reason={story.error.message}
          tryAgain={t('layout.try_again')}
          retrying={story.isFetching}
          onRetry={story.refetch}
        />
      )}
      {story.data && <Steps story={story.data} />}
    </>
  );
};
