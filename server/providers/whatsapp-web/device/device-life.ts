/**
 * The life of one device, from its process to the state that the port tells. Its modes:
 *
 * OPEN: from the beginning. It waits for a place, then its process is kept running. Codes are shown until it is paired;
 *   it is up from `ready` until the connection is lost, and again after each new `ready`.
 * LOGGING_OUT: its owner asked for it while it was up (`beginLogOut`). An end of the link is the answer and told to nobody.
 *   It stays so if no answer comes: the device is closed next.
 * ENDED: WhatsApp ended the link, or nobody used the last code. It is told once, the process ends, the place is given
 *   back. So is one that was logged out as asked. Nothing but closing follows.
 * CLOSING: from each of the others (`beginClosing`). Nothing new is sent, what was handed over is still answered, and
 *   no end is told.
 *
 * `known` is remembered in all of them. `nextStep` decides what the process's words come to; it knows nothing else.
 */
import type { DeviceEnd, DeviceSurroundings, NoPlace } from '../../../fleet/devices/driver.ts';
import type { openFolder } from '../folder.ts';
import type { OfMessages } from '../hear-messages.ts';
import { countPairings } from '../pairing-attempts.ts';
import type { FromSession } from '../protocol.ts';
import { saveAgain } from '../save-again.ts';
import type { storeInOrder } from '../store-in-order.ts';
import type { DriverOptions } from './device-options.ts';
import { keepDevice } from './device-process.ts';
import { type DeviceState, mayComeUp, nextStep, type Step } from './device-state.ts';

interface Parts {
  state: DeviceState;
  files: ReturnType<typeof openFolder>;
  storing: ReturnType<typeof storeInOrder>;
  hearMessage: (told: OfMessages) => void;
  onLoggedOut: () => void;
  /** Nothing that the process was asked will be answered any more. */
  giveUpCalls: (reason: string) => void;
  warn: (error: unknown) => void;
}

const NO_PLACE: NoPlace = 'NO_PLACE';
const TOO_LARGE = 'The device used too much memory and is started again.';

export const openLife = (
  options: DriverOptions,
  { device, events }: DeviceSurroundings,
  { state, files, storing: { store, tryOnce }, hearMessage, onLoggedOut, giveUpCalls, warn }: Parts,
) => {
  const { times } = options;
  const nextPairing = countPairings();
  const saving = saveAgain({ save: () => tryOnce(files.save), everyMs: times.save });

  const giveUp = (why: DeviceEnd): void => {
    state.end();
    saving.stop();
    state.setUp(false, why);
    store(() => events.ended(why));
    void kept.stop(times.end);
  };
  const welcome = ({ phoneNumber, displayName }: FromSession & { kind: 'ready' }): void => {
    const own = kept.current();
    state.learn({ paired: true, phoneNumber });
    kept.steady();
    saving.after(times.firstSave);
    // It sends only once it is known as which number.
    store(async () => {
      await events.paired({ phoneNumber, displayName });
      if (own === kept.current() && mayComeUp(state.now().mode)) state.setUp(true, '');
    });
  };
  const carryOut = (step: Step): void => {
    if (step.kind === 'showPairing') store(() => events.pairing(step.pairing));
    else if (step.kind === 'giveUp') giveUp(step.why);
    else if (step.kind === 'answerLogOut') onLoggedOut();
    else if (step.kind === 'restart') {
      state.setUp(false, step.reason);
      // A new process finds its way back more surely than a page in an unknown state.
      void kept.current()?.end(times.end);
    }
  };
  const hear = (told: FromSession): void => {
    if (told.kind === 'ready') welcome(told);
    else if (told.kind === 'lost' || told.kind === 'loggedOut') carryOut(nextStep(state.now(), told));
    else if (told.kind === 'pairing') {
      const pairing = nextPairing(told.way, told.text, Date.now());
      carryOut(nextStep(state.now(), { kind: 'pairing', pairing }));
    } else if (told.kind !== 'browser') hearMessage(told);
  };
  const kept = keepDevice(
    { ...options, device, files, warn },
    {
      waits: (isWaiting) => state.setUp(false, isWaiting ? NO_PLACE : ''),
      started: ({ pid, hadSession }) => {
        state.learn({ paired: state.now().paired || hadSession });
        store(() => events.driven(String(pid ?? '')));
      },
      told: hear,
      tooLarge: () => state.setUp(false, TOO_LARGE),
      ended: (words) => {
        giveUpCalls('The process of the device ended before it answered.');
        const { up, mode } = state.now();
        if (up && mode !== 'CLOSING') state.setUp(false, words.trim().split('\n').at(-1) ?? '');
      },
    },
  );
  return { begin: kept.begin, process: kept.current, stop: kept.stop, stopSaving: saving.stop };
};
