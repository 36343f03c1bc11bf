import type { Stripe } from '@stripe/stripe-js';
import { t } from '../../../ground/i18n/translate.ts';
import { loadCardProvider } from './card-provider.ts';

/** Lets the card holder answer the bank in the provider's dialog; returns the failure, if there was one. */
export const confirmAtProvider = async (
  publishableKey: string,
  clientSecret: string,
): Promise<string | undefined> => {
  let provider: Stripe;
  try {
    provider = await loadCardProvider(publishableKey);
  } catch {
    return t('payment.provider_failed');
  }
  const { error } = await provider.handleNextAction({ clientSecret });
  return error?.message;
};
