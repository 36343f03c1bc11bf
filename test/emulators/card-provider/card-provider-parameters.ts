import type { Kind, Parameters } from './card-provider-request.ts';

const named = (kind: Kind, names: string): Parameters =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]));

const EXPAND = named('list', 'expand');
/** What the form in the page sends: it has no secret key. */
const FROM_PAGE = named('text', 'key client_secret');

/** The parameters of the calls in the API version of the library, 2026-10-28.endive. */
export const CUSTOMER: Parameters = {
  ...EXPAND,
  ...named('text', 'business_name description email individual_name invoice_prefix name payment_method'),
  ...named('text', 'phone source tax_exempt test_clock'),
  ...named('integer', 'balance next_invoice_sequence'),
  ...named('boolean', 'validate'),
  ...named('hash', 'address cash_balance invoice_settings shipping tax'),
  ...named('list', 'preferred_locales tax_id_data'),
  ...named('metadata', 'metadata'),
};

const METHOD_CHOICE: Parameters = {
  ...named('list', 'allowed_payment_method_types excluded_payment_method_types'),
  ...named('hash', 'automatic_payment_methods'),
  ...named('text', 'payment_method_configuration'),
};

export const SETUP_CONFIRM: Parameters = {
  ...EXPAND,
  ...FROM_PAGE,
  ...named('list', 'allowed_payment_method_types'),
  ...named('text', 'confirmation_token payment_method return_url'),
  ...named('hash', 'mandate_data payment_method_data payment_method_options'),
  ...named('boolean', 'use_stripe_sdk'),
};

export const SETUP: Parameters = {
  ...EXPAND,
  ...METHOD_CHOICE,
  ...named('boolean', 'attach_to_self confirm use_stripe_sdk'),
  ...named('text', 'confirmation_token customer customer_account description on_behalf_of payment_method'),
  ...named('text', 'return_url usage'),
  ...named('list', 'flow_directions'),
  ...named('hash', 'mandate_data payment_method_data payment_method_options single_use'),
  ...named('metadata', 'metadata'),
};

export const INTENT_CONFIRM: Parameters = {
  ...EXPAND,
  ...FROM_PAGE,
  ...named('list', 'allowed_payment_method_types excluded_payment_method_types'),
  ...named('hash', 'amount_details hooks mandate_data payment_details payment_method_data'),
  ...named('hash', 'payment_method_options radar_options shipping'),
  ...named('integer', 'amount_to_confirm'),
  ...named('text', 'capture_method confirmation_token mandate payment_method receipt_email return_url'),
  ...named('text', 'setup_future_usage'),
  ...named('boolean', 'error_on_requires_action off_session use_stripe_sdk'),
};

export const INTENT: Parameters = {
  ...EXPAND,
  ...METHOD_CHOICE,
  ...named('integer', 'amount application_fee_amount'),
  ...named('boolean', 'confirm error_on_requires_action off_session use_stripe_sdk'),
  ...named('text', 'capture_method confirmation_method confirmation_token currency customer'),
  ...named('text', 'customer_account description mandate on_behalf_of payment_method receipt_email'),
  ...named('text', 'return_url setup_future_usage statement_descriptor statement_descriptor_suffix'),
  ...named('text', 'transfer_group'),
  ...named('hash', 'amount_details hooks mandate_data payment_details payment_method_data'),
  ...named('hash', 'payment_method_options radar_options shipping transfer_data'),
  ...named('metadata', 'metadata'),
};

export const REFUND_LIST: Parameters = {
  ...EXPAND,
  ...named('range', 'created'),
  ...named('text', 'charge payment_intent ending_before starting_after'),
  ...named('integer', 'limit'),
};

export const INTENT_LIST: Parameters = {
  ...EXPAND,
  ...named('range', 'created'),
  ...named('text', 'customer customer_account ending_before starting_after'),
  ...named('integer', 'limit'),
};

export const INTENT_CANCEL: Parameters = { ...EXPAND, ...named('text', 'cancellation_reason') };

export const REFUND: Parameters = {
  ...EXPAND,
  ...named('integer', 'amount'),
  ...named('text', 'charge currency customer instructions_email origin payment_intent reason'),
  ...named('boolean', 'refund_application_fee reverse_transfer'),
  ...named('metadata', 'metadata'),
};

export const RETRIEVE: Parameters = { ...EXPAND, ...FROM_PAGE };
export const PLAIN: Parameters = EXPAND;

/** Not in the documented API: how the stand-in for the provider's script ends an authentication. */
export const AUTHENTICATE: Parameters = { ...FROM_PAGE, ...named('boolean', 'approve') };
