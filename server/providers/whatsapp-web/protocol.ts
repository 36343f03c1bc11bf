import type { SendOutcome } from '../../traffic/lanes/index.ts';

/** What the process of a device needs to begin. */
export interface Begin {
  kind: 'begin';
  /** The folder in whose node_modules the library is. */
  library: string;
  /** The device's own folder, in which the browser's profile is. */
  folder: string;
  /** The browser's program. */
  chromium: string;
  /** Digits of the number that is paired by a code; empty: by QR code. */
  pairByCodeOf: string;
  codeIntervalMs: number;
}

export interface SessionMessage {
  /** In E.164. */
  recipient: string;
  text: string;
  /** WhatsApp's id of the message that this one answers. */
  quotedMessage: string | undefined;
  /** Its text is the caption then. */
  file: { bytes: Buffer; mimeType: string; fileName: string; asDocument: boolean } | undefined;
}

/** What the worker says to the process of a device. */
export type ToSession =
  | Begin
  | { kind: 'send'; call: number; message: SessionMessage }
  | { kind: 'logOut' }
  | { kind: 'stop' };

/** Before WhatsApp's id of somebody whose number it does not tell. */
export const HIDDEN = 'lid:';

export interface DeviceMessage {
  kind: 'message';
  id: string;
  /** In E.164, or HIDDEN and an id. */
  from: string;
  text: string;
  atSeconds: number;
  type: string;
  quotedMessage: string | undefined;
  senderName: string | undefined;
  /** Whether it came with a file, be it too large or gone. */
  hasFile: boolean;
  media: { bytes: Buffer; mimeType: string; fileName: string } | undefined;
}

/** What the process of a device tells the worker. */
export type FromSession =
  | { kind: 'browser'; pid: number }
  | { kind: 'pairing'; way: 'qr' | 'code'; text: string }
  | { kind: 'ready'; phoneNumber: string; displayName: string | undefined }
  /** The library's word for it, such as LOGOUT. */
  | { kind: 'lost'; why: string }
  | { kind: 'loggedOut' }
  | { kind: 'sent'; call: number; outcome: SendOutcome }
  | { kind: 'ack'; id: string; recipient: string; ack: number }
  /** A message came that could not be read. */
  | { kind: 'unread'; why: string }
  | DeviceMessage;
