import type { DeviceId } from '../../../contract/fleet/devices.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';

/** What a carrier's `state` names as the reason while its worker drives as many devices as it may. */
export type NoPlace = 'NO_PLACE';

/** A device as its driver sees it. */
export interface DrivenDevice {
  deviceId: DeviceId;
  /** What it is called here: simulated devices behave by it. */
  phoneName: string;
  /** Two letters. */
  countryCode: string;
  /** In E.164; '' before it was paired. */
  phoneNumber: string;
  /** Its owner wants to pair by a code that is typed on the phone of this number (E.164); '': by QR code. */
  pairByCodeOf: string;
}

/** How the owner can pair the device now. */
export interface Pairing {
  kind: 'qr' | 'code';
  /** What the QR code encodes, or the letters to type. */
  text: string;
  expiresAt: Date;
  /** From 1 to `attempts`. */
  attempt: number;
  attempts: number;
}

/**
 * Why a driver gives a device up: it is stopped, and only its owner starts it again. PAIRING_UNUSED: nobody used the
 * last code. LOGGED_OUT: the phone ended the link. PHONE_LOST: the phone was not online for too long. BANNED: WhatsApp
 * lets the number send no more. After the last three the session is worth nothing and is forgotten.
 */
export type DeviceEnd = 'PAIRING_UNUSED' | 'LOGGED_OUT' | 'PHONE_LOST' | 'BANNED';

/** What a device tells besides what every carrier does. Each promise resolves once it is stored. */
export interface DeviceEvents {
  /** What drives it from now on, such as the id of a process. Only of drivers with one for each device. */
  driven: (port: string) => Promise<void>;
  /** Another code, as often as the last one expires. */
  pairing: (pairing: Pairing) => Promise<void>;
  /** It is connected as this number. `displayName`: what its owner is called at WhatsApp. Pairing is over. */
  paired: (as: { phoneNumber: string; displayName?: string | undefined }) => Promise<void>;
  /** WhatsApp warns: the governor sends nothing until then, or for a day. */
  warned: (warning: { reason: string; until?: Date | undefined }) => Promise<void>;
  /** The driver tries no more. It says so once, after `state({ up: false })`, and waits to be closed. */
  ended: (why: DeviceEnd) => Promise<void>;
}

/**
 * The session of a device: what makes it the same one for WhatsApp after a restart or on another worker. The driver
 * packs its files into these bytes and unpacks them when it opens. They are sealed before they are stored.
 */
export interface DeviceSession {
  /** Undefined before it was paired, and after it ended. */
  read: () => Promise<Buffer | undefined>;
  /** Replaces it; at most MOST_SESSION_BYTES. Rejects if another worker has the device by now: then close. */
  write: (bytes: Buffer) => Promise<void>;
}

/** Larger sessions are refused: caches have no place in them. */
export const MOST_SESSION_BYTES = 16 * 1024 * 1024;

/** A file that came with an incoming message, or that goes out with one. */
export interface ReceivedFile {
  bytes: Buffer;
  mimeType: string;
}

/**
 * Fetches a file that a message names by its address; never throws. The address is a customer's: nothing is asked in
 * networks that are not public.
 */
export type FetchFile = (
  url: string,
  limits: { mostBytes: number; timeoutMs: number },
) => Promise<ReceivedFile | { fault: string; retryable: boolean }>;

export interface DeviceSurroundings {
  device: DrivenDevice;
  session: DeviceSession;
  events: DeviceEvents;
  /** Keeps the file of an incoming message; returns the id for `content.media.id` of that Inbound. Call it first. */
  keepFile: (file: ReceivedFile) => Promise<string>;
  /** Of what these promises and those of CarrierEvents reject with: whether the same may be stored later. */
  isTransient: (error: unknown) => boolean;
}

export interface DeviceCarrier extends Carrier {
  /**
   * Takes it off its phone's list of linked devices, before it is closed for good: its session is worth nothing any
   * more. False if it is not connected or was not logged out in time. Only of those that a phone lists.
   */
  logOut?: (timeoutMs: number) => Promise<boolean>;
}

/**
 * What stands between the program and customers' WhatsApp numbers. Its carriers are served like those of all lanes: one
 * worker at a time has a device. `open` of the carrier begins to connect and resolves at once, up or not: pairing may
 * take minutes. A connection that is lost is tried again by the driver, for as long as the carrier is open; `state`
 * tells of both. `send` refuses retryably what was certainly not sent, and answers `unknown` where that can't be told.
 */
export interface DeviceDriver {
  /** The provider of its lanes. */
  name: string;
  simulated: boolean;
  /** Whether the governor keeps this device safe: real numbers always, simulated ones by their name. */
  isGoverned: (device: Pick<DrivenDevice, 'phoneName'>) => boolean;
  carrier: (surroundings: DeviceSurroundings) => DeviceCarrier;
}
