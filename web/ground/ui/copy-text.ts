import { useEffect, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { toastFailure, toastSuccess } from './feedback/toast.ts';

const SHOWN_LENGTH = 80;
const COPIED_MS = 2_000;

/** A page that is reached by http has no clipboard API, but may still copy the selection. */
const copyBySelection = (text: string): boolean => {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const copied = document.execCommand?.('copy') ?? false;
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
};

/** False, with a toast, if the browser refused. */
const write = async (text: string): Promise<boolean> => {
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : copyBySelection(text);
  if (!copied) toastFailure(t('layout.not_copied'));
  return copied;
};

/** Copies a text and shows a toast with it. */
export const copyText = async (text: string): Promise<void> => {
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  if (await write(text)) toastSuccess(t('layout.copied', { text: shown }));
};

/** Copies for a button that shows for a moment that it did. */
export const useCopy = () => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (text: string): Promise<boolean> => {
    const done = await write(text);
    setCopied(done);
    return done;
  };
  return { copy, copied };
};
