/** How the bank behind a test card answers (https://docs.stripe.com/testing, https://docs.stripe.com/declines/codes). */
export interface Decline {
  code: string;
  decline_code: string;
  message: string;
  advice_code?: string;
}

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});

export const DECLINES = {
  generic_decline: declined('generic_decline'),
  insufficient_funds: {
    ...declined('insufficient_funds', 'Your card has insufficient funds.'),
    advice_code: 'try_again_later',
  },
  // The card holder does not learn that the card is reported: the person may not be its owner.
  lost_card: { ...declined('lost_card'), advice_code: 'do_not_try_again' },
  stolen_card: { ...declined('stolen_card'), advice_code: 'do_not_try_again' },
  expired_card: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
} satisfies Record<string, Decline>;

/** `process`: the bank takes its time; `settle` ends it. */
export type Verdict =
  | 'approve'
  | 'process'
  | 'authenticate'
  | 'authenticate-on-session'
  | keyof typeof DECLINES;

interface TestCard {
  brand: string;
  /** When the card is added. */
  setup: Verdict;
  /** When it is charged later. */
  charge: Verdict;
}

const visa = (setup: Verdict, charge: Verdict = setup): TestCard => ({ brand: 'visa', setup, charge });

export const TEST_CARDS: Record<string, TestCard> = {
  '4242424242424242': visa('approve'),
  '5555555555554444': { brand: 'mastercard', setup: 'approve', charge: 'approve' },
  '4000000000000341': visa('approve', 'generic_decline'),
  '4000000000000002': visa('generic_decline'),
  '4000000000009995': visa('insufficient_funds'),
  '4000000000009987': visa('lost_card'),
  '4000000000009979': visa('stolen_card'),
  '4000000000000069': visa('expired_card'),
  '4000000000000127': visa('incorrect_cvc'),
  '4000000000000119': visa('processing_error'),
  '4000002760003184': visa('authenticate'),
  '4000002500003155': visa('authenticate', 'approve'),
  '4000003800000446': visa('approve', 'authenticate-on-session'),
};
