import { Button, Skeleton, useComputedColorScheme } from '@mantine/core';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activeLanguage } from '../../../ground/i18n/language.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { FailureAlert } from '../../../ground/ui/feedback/failure-alert.tsx';
import { LoadFailure } from '../../../ground/ui/feedback/load-failure.tsx';
import classes from '../../../ground/ui/forms/form-fields.module.css';
import { useCardConfirmation } from './card-confirmation.ts';
import type { CardFormProps } from './card-form.ts';
import { loadCardProvider } from './card-provider.ts';

const LOCALES = { en_US: 'en', zh_HK: 'zh-HK' } as const;

/** The provider renders its own fields, so it gets our colours. */
const APPEARANCES = {
  light: { theme: 'stripe', variables: { colorPrimary: '#2f4a86', colorText: '#17233f' } },
  dark: { theme: 'night', variables: { colorPrimary: '#f6ca66', colorBackground: '#1a2440' } },
} as const;

/** A wallet's button would offer to pay now, while this form only keeps a card for later. */
const CARDS_ONLY = { wallets: { applePay: 'never', googlePay: 'never' } } as const;

const Fields = ({ onConfirmed }: Pick<CardFormProps, 'onConfirmed'>) => {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const confirm = async () => {
    if (!stripe || !elements) throw new Error(t('cards.form_failed'));
    const { error, setupIntent } = await stripe.confirmSetup({ elements, redirect: 'if_required' });
    if (error) throw new Error(error.message ?? t('cards.form_failed'));
    return setupIntent.id;
  };
  const { sending, failure, alertRef, submit } = useCardConfirmation(confirm, onConfirmed);
  return (
    <form
      noValidate
      className={classes.form}
      aria-label={t('cards.add')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure && <FailureAlert ref={alertRef} text={failure} />}
      {!ready && <Skeleton height={180} radius="md" />}
      <PaymentElement
        options={CARDS_ONLY}
        onReady={(element) => {
          setReady(true);
          element.focus();
        }}
      />
      <Button type="submit" size="md" loading={sending} disabled={!ready}>
        {t('cards.save')}
      </Button>
    </form>
  );
};

/** The provider's own form: the card's number goes from it to the provider and never to us. */
export const StripeCardForm = ({ clientSecret, publishableKey, onConfirmed }: CardFormProps) => {
  const scheme = useComputedColorScheme('light');
  const provider = useQuery({
    queryKey: ['card-provider', publishableKey],
    queryFn: () => loadCardProvider(publishableKey),
    staleTime: 'static',
  });
  if (provider.isError)
    return (
      <LoadFailure
        text={t('cards.form_failed')}
        tryAgain={t('layout.try_again')}
        onRetry={provider.refetch}
      />
    );
  if (!provider.data) return <Skeleton height={180} radius="md" />;
  return (
    <Elements
      stripe={provider.data}
      options={{ clientSecret, locale: LOCALES[activeLanguage()], appearance: APPEARANCES[scheme] }}
    >
      <Fields onConfirmed={onConfirmed} />
    </Elements>
  );
};
