import { notifications } from '@mantine/notifications';
import { t } from '../i18n/translate.ts';

/** A failure is shown longer, because it has to be read. */
const SUCCESS_MS = 5_000;
const FAILURE_MS = 10_000;

const show = (message: string, color: 'green' | 'red', autoClose: number) =>
  notifications.show({
    message,
    color,
    autoClose,
    closeButtonProps: { 'aria-label': t('layout.close') },
  });

export const toastSuccess = (message: string) => show(message, 'green', SUCCESS_MS);

export const toastFailure = (message: string) => show(message, 'red', FAILURE_MS);
