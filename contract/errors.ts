/** Every code an error reply may carry. Its text is the translation labelled `error.CODE`. */
export const ERROR_CODES = [
  'E_INTERNAL',
  'E_NOT_FOUND',
  'E_INVALID_REQUEST',
  'E_TOO_LARGE',
  'E_TOO_MANY_REQUESTS',
  'E_UNAVAILABLE',
  'E_LOGIN_REQUIRED',
  'E_FORBIDDEN',
  'E_BAD_CREDENTIALS',
  'E_NOT_ACTIVATED',
  'E_EMAIL_INVALID',
  'E_PASSWORD_EMPTY',
  'E_PASSWORD_TOO_SHORT',
  'E_PASSWORD_TOO_LONG',
  'E_PASSWORDS_DIFFER',
  'E_TOKEN_INVALID',
  'E_WEBHOOK_INVALID',
  'E_CARD_UNKNOWN',
  'E_CARD_NOT_CONFIRMED',
  'E_CARD_DECLINED',
  'E_CARD_NUMBER_INVALID',
  'E_CARD_NOT_A_TEST_NUMBER',
  'E_CARD_EXPIRY_INVALID',
  'E_CARD_CVC_INVALID',
  'E_TOO_MANY_CARDS',
  'E_AMOUNT_INVALID',
  'E_AMOUNT_COMMA',
  'E_AMOUNT_ZERO',
  'E_AMOUNT_NEGATIVE',
  'E_AMOUNT_NOT_CENTS',
  'E_AMOUNT_TOO_SMALL',
  'E_AMOUNT_TOO_LARGE',
  'E_DAILY_CAP_TOO_LOW',
  'E_BALANCE_TOO_LOW',
  'E_IDEMPOTENCY_KEY_REUSED',
  'E_REASON_EMPTY',
  'E_RECEIPT_UNAVAILABLE',
  'E_SECRET_INVALID',
  'E_RECIPIENT_EMPTY',
  'E_PHONE_INVALID',
  'E_COUNTRY_INVALID',
  'E_MESSAGE_EMPTY',
  'E_MESSAGE_TOO_LONG',
  'E_TOO_MANY_SEGMENTS',
  'E_MESSAGE_UNSENDABLE',
  'E_EMAIL_ONLY',
  'E_NO_LANE',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorReply {
  code: ErrorCode;
  /** In the reader's language; what the screen shows. */
  message: string;
  requestId: string;
}
