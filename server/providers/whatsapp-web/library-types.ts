/** What of `whatsapp-web.js` 1.34 is used here: its own types come with its installation, which is optional. */

export interface LibraryMessage {
  id: { _serialized: string; fromMe: boolean };
  body: string;
  /** Seconds since 1970. */
  timestamp: number;
  from: string;
  to: string;
  type: string;
  ack?: number;
  hasMedia: boolean;
  hasQuotedMsg: boolean;
  downloadMedia: () => Promise<LibraryMedia | undefined>;
  getQuotedMessage: () => Promise<LibraryMessage | undefined>;
  getContact: () => Promise<{ number?: string; pushname?: string }>;
}

/** A file; `data` in base64. */
export interface LibraryMedia {
  mimetype: string;
  data: string;
  filename?: string | null;
}

export interface LibraryClient {
  on: ((event: 'qr' | 'code' | 'disconnected' | 'auth_failure', heard: (text: string) => void) => unknown) &
    ((event: 'ready', heard: () => void) => unknown) &
    ((event: 'message', heard: (message: LibraryMessage) => void) => unknown) &
    ((event: 'message_ack', heard: (message: LibraryMessage, ack: number) => void) => unknown);
  initialize: () => Promise<void>;
  destroy: () => Promise<void>;
  getNumberId: (digits: string) => Promise<{ _serialized: string } | null>;
  sendMessage: (
    to: string,
    content: string | LibraryMedia,
    options: {
      linkPreview: boolean;
      sendSeen: boolean;
      quotedMessageId?: string;
      caption?: string;
      sendMediaAsDocument?: boolean;
    },
  ) => Promise<LibraryMessage | undefined>;
  /** Takes the device off its phone's list, and closes the browser. */
  logout: () => Promise<void>;
  info?: { wid: { user: string }; pushname?: string };
  pupBrowser?: { process: () => { pid?: number } | null } | null;
}

export interface Library {
  Client: new (options: object) => LibraryClient;
  LocalAuth: new (options: { dataPath: string }) => unknown;
  MessageMedia: new (mimetype: string, data: string, filename: string) => LibraryMedia;
}
