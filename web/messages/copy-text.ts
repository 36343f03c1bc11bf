import { t } from '../i18n/translate.ts';
import { toastFailure, toastSuccess } from '../ui/toast.ts';

const SHOWN_LENGTH = 80;

/** A page that is reached by http has no clipboard API, but may still copy the selection. */
const copyBySelection = (text: string): boolean => {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
};

const write = async (text: string): Promise<boolean> => {
  if (!navigator.clipboard) return copyBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
};

/** Copies a text and shows a toast with it. */
export const copyText = async (text: string): Promise<void> => {
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  if (await write(text)) toastSuccess(t('messages.copied', { text: shown }));
  else toastFailure(t('messages.not_copied'));
};
