import { t } from '../i18n/translate.ts';

/** As the server allows. */
const MAX_MEGABYTES = 200;

/** In words why this can't be a file to send; what is in it, the server judges. */
export const fileFault = (file: File | undefined): string | undefined => {
  if (!file) return t('send.csv.missing');
  if (!/\.csv$/i.test(file.name)) return t('send.csv.not_csv');
  if (file.size > MAX_MEGABYTES * 1024 * 1024) return t('send.csv.too_large', { maximum: MAX_MEGABYTES });
  return undefined;
};
