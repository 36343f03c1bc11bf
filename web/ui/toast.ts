import { notifications, notificationsStore } from '@mantine/notifications';
import { t } from '../i18n/translate.ts';

/** A failure is shown longer, because it has to be read. */
const SUCCESS_MS = 5_000;
const FAILURE_MS = 10_000;

const SUCCESS = { color: 'green', autoClose: SUCCESS_MS, loading: false };
/** Only some are shown at a time: a failure takes its place before successes, and does not wait until they have gone. */
const FAILURE = { color: 'red', autoClose: FAILURE_MS, loading: false, priority: 1 };
const GOING_ON = { color: 'green', autoClose: false, loading: true, priority: 0 };

const show = (message: string, look: Partial<Parameters<typeof notifications.show>[0]>) =>
  notifications.show({ message, ...look, closeButtonProps: { 'aria-label': t('layout.close') } });

const failures = new Set<string>();

/** Takes away what the reader is about to mend, or has mended: a failure must not outlive its cause. */
export const dropFailures = () => {
  for (const id of failures) notifications.hide(id);
  failures.clear();
};

export const toastSuccess = (message: string) => {
  dropFailures();
  show(message, SUCCESS);
};

export const toastFailure = (message: string) => {
  dropFailures();
  failures.add(show(message, FAILURE));
};

const isOpen = (id: string): boolean => {
  const { notifications: shown, queue } = notificationsStore.getState();
  return [...shown, ...queue].some((one) => one.id === id);
};

/**
 * One toast for a change that takes a while: first it says what goes on, in the end what became of it. It takes the place
 * of the subject's former toast, and leaves the failures of others alone.
 */
export const openToast = (subject: string, message: string) => {
  notifications.hide(subject);
  show(message, { id: subject, ...GOING_ON });
  /** What the reader has closed does not come back, unless it failed. */
  const change = (next: string, look: typeof SUCCESS | typeof FAILURE | typeof GOING_ON) => {
    if (isOpen(subject)) notifications.update({ id: subject, message: next, ...look });
    else if (look === FAILURE) show(next, { id: subject, ...look });
  };
  return {
    goOn: (next: string) => change(next, GOING_ON),
    succeed: (next: string) => change(next, SUCCESS),
    fail: (next: string) => change(next, FAILURE),
  };
};
