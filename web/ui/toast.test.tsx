import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, test } from 'vitest';
import { openToast, toastFailure, toastSuccess } from './toast.ts';

const LIMIT = 5;
const shown = () => notificationsStore.getState().notifications;
const said = () => shown().map(({ message }) => message);

afterEach(() => notifications.clean());

test('a failure is shown at once, before the successes that wait, and longer than they are', () => {
  for (let at = 0; at < 2 * LIMIT; at++) toastSuccess(`done ${at}`);
  expect(said()).not.toContain('done 9');
  toastFailure('refused');
  expect(said()[0]).toBe('refused');
  expect(said()).toHaveLength(LIMIT);
  const [failure, success] = shown();
  expect(Number(failure?.autoClose)).toBeGreaterThan(Number(success?.autoClose));
});

test('a change has one toast, from what goes on to what became of it', () => {
  const toast = openToast('a', 'saving');
  expect(shown()).toMatchObject([{ message: 'saving', loading: true, autoClose: false }]);
  toast.goOn('saved, reading');
  expect(shown()).toMatchObject([{ message: 'saved, reading', loading: true, autoClose: false }]);
  toast.succeed('done');
  expect(shown()).toMatchObject([{ message: 'done', loading: false, autoClose: 5_000 }]);
});

test('a change that fails passes the queue, and the success of another leaves it', () => {
  const toast = openToast('a', 'saving');
  for (let at = 0; at < 2 * LIMIT; at++) toastSuccess(`done ${at}`);
  const other = openToast('b', 'saving');
  toast.fail('refused');
  other.succeed('done');
  expect(said()[0]).toBe('refused');
});

test('a toast that was closed comes back for a failure only, and the next change of the same takes its place', () => {
  const toast = openToast('a', 'saving');
  notifications.hide('a');
  toast.succeed('done');
  expect(said()).toEqual([]);
  toast.fail('refused');
  expect(said()).toEqual(['refused']);
  openToast('a', 'saving again');
  expect(said()).toEqual(['saving again']);
});
