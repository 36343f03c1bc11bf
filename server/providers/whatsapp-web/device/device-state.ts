import type { DeviceEnd, Pairing } from '../../../fleet/devices/driver.ts';
import type { CarrierEvents } from '../../../traffic/lanes/index.ts';
import { endOf } from '../lost-reason.ts';

/** What each means is told in `device-life.ts`. */
export type Mode = 'OPEN' | 'LOGGING_OUT' | 'ENDED' | 'CLOSING';

export interface Known {
  up: boolean;
  /** It has a session: then it needs no code. */
  paired: boolean;
  /** Its session is worth nothing any more. */
  forgotten: boolean;
  /** In E.164; '' before it was paired. */
  phoneNumber: string;
}

/** What the process tells of the link to WhatsApp; a pairing is undefined once nobody used the last code. */
type Told =
  | { kind: 'pairing'; pairing: Pairing | undefined }
  | { kind: 'lost'; why: string }
  | { kind: 'loggedOut' };

export type Step =
  | { kind: 'nothing' }
  | { kind: 'showPairing'; pairing: Pairing }
  | { kind: 'giveUp'; why: DeviceEnd }
  | { kind: 'answerLogOut' }
  | { kind: 'restart'; reason: string };

const afterEnd = (mode: Mode, why: DeviceEnd): Step => {
  if (mode === 'OPEN') return { kind: 'giveUp', why };
  // We asked for it.
  return why === 'LOGGED_OUT' ? { kind: 'answerLogOut' } : { kind: 'nothing' };
};

export const nextStep = ({ mode, paired }: { mode: Mode; paired: boolean }, told: Told): Step => {
  switch (told.kind) {
    case 'pairing':
      // A device that was paired shows a code again only if its phone has ended the link.
      if (paired) return afterEnd(mode, 'LOGGED_OUT');
      return told.pairing ? { kind: 'showPairing', pairing: told.pairing } : afterEnd(mode, 'PAIRING_UNUSED');
    case 'lost': {
      const end = endOf(told.why);
      return end ? afterEnd(mode, end) : { kind: 'restart', reason: told.why };
    }
    case 'loggedOut':
      return { kind: 'answerLogOut' };
  }
};

/** A connection counts while the device is neither given up nor being closed. */
export const mayComeUp = (mode: Mode): boolean => mode === 'OPEN' || mode === 'LOGGING_OUT';

/** `prepared`: what is to be sent has all it needs; a device that is being closed still sends what needs no file. */
export const maySend = (
  { mode, up }: { mode: Mode; up: boolean },
  prepared?: { file: unknown } | undefined,
): boolean => up && (mode !== 'CLOSING' || (prepared !== undefined && !prepared.file));

export type DeviceState = ReturnType<typeof openState>;

/** Holds the mode and what is known of one device; each change of `up` is told to the lane that listens. */
export const openState = (phoneNumber: string) => {
  let mode: Mode = 'OPEN';
  let known: Known = { up: false, paired: false, forgotten: false, phoneNumber };
  let heard: CarrierEvents | undefined;
  return {
    now: (): Known & { mode: Mode } => ({ mode, ...known }),
    lane: (): CarrierEvents | undefined => heard,
    listen: (events: CarrierEvents): void => {
      heard = events;
    },
    setUp: (up: boolean, reason: string): void => {
      known = { ...known, up };
      heard?.state({ up, reason });
    },
    learn: (news: Pick<Known, 'paired'> & Partial<Pick<Known, 'phoneNumber'>>): void => {
      known = { ...known, ...news };
    },
    beginLogOut: (): void => {
      if (mode === 'OPEN') mode = 'LOGGING_OUT';
    },
    end: (): void => {
      if (mode !== 'CLOSING') mode = 'ENDED';
      known = { ...known, forgotten: true };
    },
    /** False if it is being closed already. */
    beginClosing: (): boolean => {
      const isFirst = mode !== 'CLOSING';
      mode = 'CLOSING';
      return isFirst;
    },
  };
};
