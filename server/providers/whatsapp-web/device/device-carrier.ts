import type { DeviceCarrier, DeviceSurroundings } from '../../../fleet/devices/driver.ts';
import type { SendOutcome } from '../../../traffic/lanes/index.ts';
import { openProcessCalls } from '../calls.ts';
import { openComposing } from '../composing.ts';
import { openFolder } from '../folder.ts';
import { hearMessages } from '../hear-messages.ts';
import { openLogOut } from '../log-out.ts';
import { storeInOrder } from '../store-in-order.ts';
import { openLife } from './device-life.ts';
import type { DriverOptions } from './device-options.ts';
import { maySend, openState } from './device-state.ts';

/** However little time is left, the browser writes down what it holds. */
const LEAST_END_MS = 2_000;

const NOT_CONNECTED: SendOutcome = {
  outcome: 'refused',
  code: 'DEVICE_NOT_CONNECTED',
  reason: 'The device is not connected.',
  retryable: true,
};

/** One device: what its process tells becomes what the port asks for. Its modes are those of `device-life.ts`. */
export const openDevice = (options: DriverOptions, surroundings: DeviceSurroundings): DeviceCarrier => {
  const { device, session, keepFile, isTransient } = surroundings;
  const { times } = options;
  const warn = (error: unknown): void => options.warn(error, device.deviceId);
  const state = openState(device.phoneNumber);
  const storing = storeInOrder({ pauseMs: times.firstPause, isTransient, warn });
  const calls = openProcessCalls();
  const composing = openComposing(options.fetchFile);
  const files = openFolder(options.folder, device.deviceId, session);
  const loggingOut = openLogOut();
  const hearMessage = hearMessages({
    store: storing.store,
    answer: calls.answer,
    warn,
    events: state.lane,
    phoneNumber: () => state.now().phoneNumber,
    keepFile,
  });
  const life = openLife(options, surroundings, {
    state,
    files,
    storing,
    hearMessage,
    onLoggedOut: loggingOut.answer,
    giveUpCalls: calls.giveUp,
    warn,
  });

  return {
    provider: 'whatsapp-web',
    channel: 'whatsapp',
    simulated: false,
    window: 1,
    open: async (given) => {
      state.listen(given);
      life.begin();
    },
    isUp: () => state.now().up,
    send: async (outgoing) => {
      if (!maySend(state.now())) return NOT_CONNECTED;
      const composed = await composing.compose(outgoing);
      if ('refusal' in composed) return composed.refusal;
      // It may have gone, or be closing, while the file was fetched: nobody waits for the answer any more.
      const own = life.process();
      if (!own || !maySend(state.now(), composed.message)) return NOT_CONNECTED;
      return calls.ask(times.answer, (call) => own.post({ kind: 'send', call, message: composed.message }));
    },
    logOut: async (timeoutMs) => {
      const own = life.process();
      if (!state.now().up || !own) return false;
      state.beginLogOut();
      const isDone = await loggingOut.ask(timeoutMs, () => own.post({ kind: 'logOut' }));
      // There is nothing to go on with.
      if (isDone) state.end();
      return isDone;
    },
    close: async (timeoutMs) => {
      if (!state.beginClosing()) return;
      life.stopSaving();
      const deadline = Date.now() + timeoutMs;
      await composing.settled(timeoutMs);
      await calls.settled(deadline - Date.now());
      if (state.now().up) state.setUp(false, 'closed');
      await life.stop(Math.max(LEAST_END_MS, deadline - Date.now()));
      // Now nothing changes the files any more: this is the session at its best.
      const { paired, forgotten } = state.now();
      if (paired && !forgotten) storing.tryOnce(files.save);
      await storing.close();
      await files.remove();
    },
  };
};
