import { setImmediate } from 'node:timers/promises';
import type { Outgoing } from '../../traffic/lanes/index.ts';
import type { Composed, openComposer } from './compose.ts';

/** Characters. */
const LONG_TEXT = 20_000;

type Compose = ReturnType<typeof openComposer>;

/** Encoding and signing a long one takes milliseconds: one after another, and others get their turn in between. */
export const composeInTurn = (compose: Compose) => {
  let turn: Promise<unknown> = Promise.resolve();
  return (message: Outgoing): ReturnType<Compose> => {
    if (message.text.length + (message.html?.length ?? 0) < LONG_TEXT) return compose(message);
    const composed = turn.then(() => setImmediate()).then(() => compose(message));
    turn = composed.catch(() => {});
    return composed as Promise<Composed>;
  };
};
