import type { MessageContent, Template } from '../../../contract/traffic/message-content.ts';
import type { Encoding } from '../../../contract/traffic/segments.ts';

/** The content; subject and HTML are for emails only, what follows them for WhatsApp. */
export interface Content {
  message: string;
  subject?: string | undefined;
  html?: string | undefined;
  template?: Template | undefined;
  image?: string | undefined;
  file?: string | undefined;
  video?: string | undefined;
  fileName?: string | undefined;
  /** Our own id, or the carrier's, of the message that it replies to. */
  quotedMessage?: string | undefined;
}

export interface CheckedContent {
  message: string;
  subject: string | null;
  html: string | null;
  /** Content besides its text. */
  content: MessageContent | null;
  /** The units that are paid for: the segments of an SMS, one for anything else. */
  segments: number;
  encoding: Encoding | 'NONE';
}
