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

const failures = new Set<string>();

/** Takes away what the reader is about to mend, or has mended: a failure must not outlive its cause. */
export const dropFailures = () => {
  for (const id of failures) notifications.hide(id);
  failures.clear();
};

export const toastSuccess = (message: string) => {
  dropFailures();
  show(message, 'green', SUCCESS_MS);
};

export const toastFailure = (message: string) => {
  dropFailures();
  failures.add(show(message, 'red', FAILURE_MS));
};
