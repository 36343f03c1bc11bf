import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Something that unfolds below its button, over the page. Escape closes it and gives the focus back to the button; a
 * click or the focus elsewhere closes it too.
 */
export const useUnfolding = () => {
  const [opened, setOpened] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const ref = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpened(false), []);

  useEffect(() => {
    if (!opened) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      // Only the innermost of what is open closes.
      event.preventDefault();
      close();
      ref.current?.focus();
    };
    const onElsewhere = ({ target }: Event) => {
      // A list that a field offers may lie outside, and what was removed by the click is nowhere.
      const inside = !(target instanceof Element) || !target.isConnected || holder.current?.contains(target);
      if (!inside && !(target as Element).closest('[data-portal], [role="listbox"]')) close();
    };
    window.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    return () => {
      window.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    };
  }, [opened, close]);

  const open = useCallback((to: boolean) => setOpened(to), []);
  const toggle = useCallback(() => setOpened((now) => !now), []);
  return { opened, open, toggle, holder, button: { ref, 'aria-expanded': opened } };
};
