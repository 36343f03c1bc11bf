import { z } from 'zod';
import { incompleteGroup, type SettingsOf, section, url } from '../../ground/settings/index.ts';

const NEEDED = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

export const stripeSection = section({
  shape: {
    STRIPE_SECRET_KEY: z
      .string()
      .regex(
        /^[rs]k_(live|test)_./,
        'must be a secret key of Stripe: sk_live_… or, for test cards, sk_test_…',
      )
      .optional(),
    STRIPE_PUBLISHABLE_KEY: z.string().min(8, 'must be a publishable key of Stripe').optional(),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .min(8, 'must be the signing secret of a webhook endpoint of Stripe')
      .optional(),
    /** Where Stripe's API is, if not at its own address: for tests. */
    STRIPE_API_BASE: url('http:', 'https:').optional(),
  },
  secrets: NEEDED,
  faultsOf: (given) => incompleteGroup('Stripe', NEEDED, given),
});

export type StripeSection = SettingsOf<typeof stripeSection>;
