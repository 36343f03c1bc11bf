import { notifications, notificationsStore } from '@mantine/notifications';
import { t } from '../../i18n/translate.ts';

/** A failure is shown longer, because it has to be read. */
const SUCCESS_MS = 5_000;
const FAILURE_MS = 10_000;

const SUCCESS = { color: 'green', autoClose: SUCCESS_MS, loading: false };
/** Only some are shown at a time: a failure takes its place before successes, and does not wait until they have gone. */
const FAILURE = { color: 'red', autoClose: FAILURE_MS, loading: false, priority: 1 };
const GOING_ON = { color: 'green', autoClose: false, loading: true, priority: 0 };

const show = (message: string, look: Partial<Parameters<typeof notifications.show>[0]>) =>
  notifications.show({ message, ...look, closeButtonProps: { 'aria-label': t('layout.close') } });

export const toastSuccess = (message: string): void => void show(message, SUCCESS);

const failureId = (subject: string): string => `failure ${subject}`;

/** Takes away the failure of what is tried once more: it must not outlive its cause. */
export const dropFailure = (subject: string): void => void notifications.hide(failureId(subject));

/** It stays for its time, whatever else succeeds or fails meanwhile; only the next failure of its subject takes its place. */
export const toastFailure = (message: string, subject = message): void => {
  dropFailure(subject);
  show(message, { id: failureId(subject), ...FAILURE });
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
