import { setImmediate } from 'node:timers/promises';

/** Work on rows goes on for this long before others get their turn. */
const TURN_MS = 10;

/** For work in small steps on the event loop: `isOver` after each step, and `pass` where it is. */
export const openTimeSlices = () => {
  let since = performance.now();
  return {
    isOver: (): boolean => performance.now() - since >= TURN_MS,
    pass: async (): Promise<void> => {
      await setImmediate();
      since = performance.now();
    },
  };
};
