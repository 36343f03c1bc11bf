import { act, renderHook } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useHeld } from './use-held.ts';

test('a list is held while rows are selected, and for 30 s after the last was unselected', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { result, rerender } = renderHook(useHeld, { initialProps: 0 });
  expect(result.current).toBe(false);
  rerender(2);
  act(() => vi.advanceTimersByTime(120_000));
  expect(result.current).toBe(true);
  rerender(0);
  act(() => vi.advanceTimersByTime(29_999));
  expect(result.current).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(result.current).toBe(false);
  // One that is selected again in between starts it anew.
  rerender(1);
  rerender(0);
  act(() => vi.advanceTimersByTime(20_000));
  rerender(1);
  act(() => vi.advanceTimersByTime(20_000));
  rerender(0);
  act(() => vi.advanceTimersByTime(20_000));
  expect(result.current).toBe(true);
});
