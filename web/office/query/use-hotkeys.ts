import { useEffect } from 'react';
import { useStable } from '../../ground/ui/use-stable.ts';

interface Hotkeys {
  run: () => void;
  save: () => void;
  saveAsNew: () => void;
  refresh: () => void;
}

/** With Cmd or Ctrl: Enter runs, S saves, Shift+S saves as new, R refreshes. They work in the editor too. */
export const useHotkeys = (hotkeys: Hotkeys): void => {
  const press = useStable((event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const acts: Record<string, (() => void) | undefined> = {
      enter: event.shiftKey ? undefined : hotkeys.run,
      s: event.shiftKey ? hotkeys.saveAsNew : hotkeys.save,
      r: event.shiftKey ? undefined : hotkeys.refresh,
    };
    const act = acts[key];
    if (!act) return;
    // Neither the browser nor the editor acts on it too.
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act();
  });
  useEffect(() => {
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [press]);
};
