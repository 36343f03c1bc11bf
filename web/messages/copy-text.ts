import { t } from '../i18n/translate.ts';
import { toastFailure, toastSuccess } from '../ui/toast.ts';

const SHOWN_LENGTH = 80;

/** A page that is reached by plain http has no clipboard of its own, but may still copy what is selected. */
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

/** Copies, and says what was copied. */
export const copyText = async (text: string): Promise<void> => {
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  if (await write(text)) toastSuccess(t('messages.copied', { text: shown }));
  else toastFailure(t('messages.not_copied'));
};
