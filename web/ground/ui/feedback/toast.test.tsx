import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, test } from 'vitest';
import { dropFailure, openToast, toastFailure, toastSuccess } from './toast.ts';

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

test('a failure stays for its time, whatever else succeeds or fails; the next of its subject takes its place', () => {
  toastFailure('hk-01 was not saved', 'hk-01');
  toastSuccess('hk-02 was saved');
  toastFailure('hk-03 was not saved', 'hk-03');
  expect(said()).toEqual(
    expect.arrayContaining(['hk-01 was not saved', 'hk-02 was saved', 'hk-03 was not saved']),
  );
  toastFailure('hk-01 was not saved either', 'hk-01');
  expect(said()).not.toContain('hk-01 was not saved');
  dropFailure('hk-01');
  expect(said()).toContain('hk-03 was not saved');
  expect(said()).not.toContain('hk-01 was not saved either');
});

test('the same failure is said once', () => {
  for (let at = 0; at < 3; at++) toastFailure('refused');
  expect(said()).toEqual(['refused']);
});
