import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the focus back to the button that opened a dialog, or to `fallback` if the button is gone: what was confirmed
 * may remove it before the dialog has closed or, if the list is drawn later, after that.
 */
export const useFocusBack = (fallback: RefObject<HTMLElement | null>) => {
  const asker = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!asker.current || asker.current.isConnected || document.activeElement !== document.body) return;
    asker.current = null;
    fallback.current?.focus();
  });
  return {
    remember: (button: HTMLElement) => {
      asker.current = button;
    },
    giveBack: () => (asker.current?.isConnected ? asker : fallback).current?.focus(),
  };
};
