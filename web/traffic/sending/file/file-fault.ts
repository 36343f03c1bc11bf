import { t } from '../../../ground/i18n/translate.ts';

/** The server's limit. */
const MAX_MEGABYTES = 200;

/** Why this can't be a file to send, as a text. Only the server checks its content. */
export const fileFault = (file: File | undefined): string | undefined => {
  if (!file) return t('send.csv.missing');
  if (!/\.csv$/i.test(file.name)) return t('send.csv.not_csv');
  if (file.size > MAX_MEGABYTES * 1024 * 1024) return t('send.csv.too_large', { maximum: MAX_MEGABYTES });
  return undefined;
};
