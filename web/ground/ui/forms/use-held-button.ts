import { useEffect, useRef, useState } from 'react';

/** A request that takes longer no longer holds the button. */
const BUTTON_MS = 5_000;

/** Whether the button is held: by the latest request only, until it ends or for five seconds. */
export const useHeldButton = () => {
  const [held, setHeld] = useState(false);
  const latest = useRef<symbol>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const hold = (): (() => void) => {
    const request = Symbol('request');
    latest.current = request;
    const release = () => {
      if (latest.current !== request) return;
      clearTimeout(timer.current);
      setHeld(false);
    };
    clearTimeout(timer.current);
    timer.current = setTimeout(release, BUTTON_MS);
    setHeld(true);
    return release;
  };
  return { held, hold };
};
