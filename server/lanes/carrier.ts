import type { AccountId } from '../../contract/accounts.ts';
import type { MessageContent } from '../../contract/message-content.ts';
import type { Channel, MessageId } from '../../contract/messages.ts';

/** A message as it leaves: everything a carrier needs and nothing else. */
export interface Outgoing {
  id: MessageId;
  accountId: AccountId;
  /** E.164 for phones, an address for email. */
  to: string;
  /** The sender wanted, if any. */
  from: string | undefined;
  text: string;
  subject: string | undefined;
  html: string | undefined;
  /** What it is besides its text: a template, an image, an answer to another message. */
  content?: MessageContent | null | undefined;
}

/**
 * What a carrier said. `unknown` means that nobody can tell whether it was sent: it is reconciled with receipts
 * or shown to an admin, never sent again blindly. A retryable refusal means: certainly not sent, try later.
 */
export type SendOutcome =
  | { outcome: 'accepted'; providerMessageId: string }
  | { outcome: 'refused'; code: string; reason: string; retryable: boolean }
  | { outcome: 'unknown'; reason: string };

export interface Receipt {
  providerMessageId: string;
  state: 'delivered' | 'read' | 'failed' | 'enroute';
  at: Date;
  code: string;
  /** Our own id, where the carrier hands it back: reconciles a message whose answer was lost. */
  messageId?: MessageId | undefined;
  /** Whom the message was for, if the receipt says so: the next best for that. */
  recipient?: string | undefined;
}

export interface Inbound {
  providerMessageId: string;
  from: string;
  to: string;
  text: string;
  at: Date;
  /** What it is besides its text. */
  content?: MessageContent | undefined;
}

/** What a carrier tells by itself. The promise resolves once it is stored: only then may it be acknowledged. */
export interface CarrierEvents {
  receipt: (receipt: Receipt) => Promise<void>;
  inbound: (inbound: Inbound) => Promise<void>;
  /** The connection came up or went down. */
  state: (state: { up: boolean; reason: string }) => void;
}

/** One way out. Opened once per worker that serves its lane. */
export interface Carrier {
  provider: string;
  channel: Channel;
  /** A simulator: what goes through it is marked as a test. */
  simulated: boolean;
  /** How many may be in flight at once; the engine never hands over more. */
  window: number;
  open: (events: CarrierEvents) => Promise<void>;
  /** Whether it can take messages now. */
  isUp: () => boolean;
  /** Resolves with the outcome, in any order; never throws. */
  send: (message: Outgoing) => Promise<SendOutcome>;
  /** Lets what is in flight finish, up to the time given. */
  close: (timeoutMs: number) => Promise<void>;
}
