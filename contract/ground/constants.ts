/** Constants that both sides need; this file must not import anything, so that the browser's first load stays small. */
export const PRODUCT_NAME = 'Posthorn';

export const LANGUAGES = ['en_US', 'zh_HK'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'en_US';
export const LANGUAGE_NAMES: Record<Language, string> = { en_US: 'English', zh_HK: '繁體中文' };

export const CURRENCIES = ['HKD', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const DEFAULT_TIME_ZONE = 'Asia/Hong_Kong';
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 200;
export const EMAIL_MAX_LENGTH = 254;

/**
 * Dotted atoms or a quoted local part, then a domain of at least two labels, in any script and with a top-level domain
 * of any length. No IP literal in brackets: it names a machine, also one behind the mail server: docs/decisions/0026.
 */
const EMAIL_PATTERN =
  /^(?:[^\s<>()[\]\\.,;:@"]+(?:\.[^\s<>()[\]\\.,;:@"]+)*|"[^"\\\r\n]+")@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{0,58}[a-z0-9])$/iu;
/** They look like others, and mail servers turn them into those: one mailbox would have several addresses. */
const FULL_WIDTH = /[\uff01-\uff60\uffe0-\uffe6]/;

export const hasFullWidth = (text: string): boolean => FULL_WIDTH.test(text);

export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(text) && !hasFullWidth(text);

/** Where the token of the mailbox stands, which the program prints at its start. */
export const MAILBOX_TOKEN_HEADER = 'x-mailbox-token';
