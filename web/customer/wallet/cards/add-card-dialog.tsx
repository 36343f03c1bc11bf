import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { call } from '../../../ground/api/call.ts';
import { queryClient } from '../../../ground/api/query-client.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { LoadFailure } from '../../../ground/ui/feedback/load-failure.tsx';
import { toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../../ground/ui/forms/dialog.tsx';

const SandboxCardForm = lazy(() =>
  import('./sandbox-card-form.tsx').then((module) => ({ default: module.SandboxCardForm })),
);
const StripeCardForm = lazy(() =>
  import('./stripe-card-form.tsx').then((module) => ({ default: module.StripeCardForm })),
);

const Waiting = () => <Skeleton height={220} radius="md" aria-label={t('layout.loading')} />;

const CardForm = ({ onAdded }: { onAdded: () => void }) => {
  // Each opened form needs a new intent: an earlier form may have used up the one before.
  const intent = useQuery({
    queryKey: ['cards', 'intent'],
    queryFn: () => call('POST /cards/intent'),
    staleTime: 'static',
    gcTime: 0,
  });
  const keep = async (auth: string) => {
    const { message } = await call('POST /cards', { body: { auth } });
    toastSuccess(message);
    onAdded();
    await queryClient.invalidateQueries({ queryKey: ['cards'], exact: true });
  };
  if (intent.isError)
    return (
      <LoadFailure
        text={t('cards.form_failed')}
        reason={intent.error.message}
        tryAgain={t('layout.try_again')}
        onRetry={intent.refetch}
      />
    );
  if (!intent.data) return <Waiting />;
  const { client_secret: clientSecret, provider, publishableKey } = intent.data;
  const Form = provider === 'sandbox' ? SandboxCardForm : StripeCardForm;
  return (
    <Suspense fallback={<Waiting />}>
      <Form clientSecret={clientSecret} publishableKey={publishableKey} onConfirmed={keep} />
    </Suspense>
  );
};

export const AddCardDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title={t('cards.add')} close={t('layout.close')}>
    <CardForm onAdded={onClose} />
  </Dialog>
);
