import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { MessageContent } from '../../../contract/traffic/message-content.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';

/** A message as it is sent: everything a carrier needs and nothing else. */
export interface Outgoing {
  id: MessageId;
  /** Which attempt this is, from 1: with the id it names this handover. */
  attempts?: number | undefined;
  accountId: AccountId;
  /** E.164 for phones, an address for email. */
  recipient: string;
  /** The requested sender, if any. */
  from: string | undefined;
  text: string;
  subject: string | undefined;
  html: string | undefined;
  /** Content besides its text: a template, an image, a reply to another message. */
  content?: MessageContent | null | undefined;
}

/** What is known of one part of a message that goes out in several. */
export interface SentPart {
  /** `waiting`: it was certainly not sent; `unknown`: nobody can tell. */
  state: 'waiting' | 'unknown' | 'taken' | 'refused';
  /** The carrier's, of a part that was taken. */
  id?: string;
  code?: string;
  reason?: string;
}

/**
 * The carrier's answer. `unknown` means that nobody can tell whether the message was sent: it is reconciled with
 * receipts or shown to an admin, never sent again blindly. A retryable refusal means: certainly not sent, try later.
 */
export type SendOutcome =
  | { outcome: 'accepted'; providerMessageId: string; parts?: SentPart[] }
  | {
      outcome: 'refused';
      code: string;
      reason: string;
      retryable: boolean;
      /** Of a retryable one: it is not tried before, and neither the lane nor the message is at fault. */
      notBefore?: Date | undefined;
      /** Of a final one: some of these may have been taken. */
      parts?: SentPart[];
    }
  | { outcome: 'unknown'; reason: string; parts?: SentPart[] };

export interface Receipt {
  providerMessageId: string;
  state: 'delivered' | 'read' | 'failed' | 'enroute';
  at: Date;
  code: string;
  /** Our own id, if the carrier returns it: reconciles a message whose answer was lost. */
  messageId?: MessageId | undefined;
  /** The recipient, if the receipt names it: the next best way to reconcile. */
  recipient?: string | undefined;
  /**
   * Somebody said it whom we can't identify, such as whoever writes to a bounce address: it changes the state of the
   * message named by `messageId`, and never gives money back.
   */
  unproven?: true;
  /** The carrier reports each part of a long message by itself. */
  ofPart?: true;
  /** What its id may be in other forms, if it finds no message: of a message to this recipient alone. */
  otherIds?: string[] | undefined;
}

/** What changed about a part of a message while it is handed over; one that is tried again whole is its only part. */
export interface PartNote {
  /** From 1, and how many there are. */
  number: number;
  total: number;
  part: SentPart;
}

export interface Inbound {
  providerMessageId: string;
  from: string;
  to: string;
  text: string;
  at: Date;
  /** Content besides its text. */
  content?: MessageContent | undefined;
}

/** What a carrier reports. The promise resolves once it is stored: only then may it be acknowledged. */
export interface CarrierEvents {
  receipt: (receipt: Receipt) => Promise<void>;
  inbound: (inbound: Inbound) => Promise<void>;
  /**
   * Notes where it survives the process what changed about a part, before the carrier's far end has it. False if that
   * is not possible now: then the part must not be sent.
   */
  part?: (message: Outgoing, note: PartNote) => boolean;
  /** More may be handed over, though no message was answered. */
  room?: () => void;
  /** The connection came up or went down. */
  state: (state: { up: boolean; reason: string }) => void;
}

/** A message whose outcome is unknown. */
export interface Question extends Pick<Outgoing, 'id' | 'recipient' | 'from' | 'text'> {
  /** Of a part of it that was taken. */
  providerMessageId: string | null;
  /** When it was handed over. */
  at: Date;
}

/** What the carrier knows of it; `absent`: it never got it. Only `taken` and `failed` settle a message. */
export interface CarrierAnswer {
  state: 'taken' | 'failed' | 'absent' | 'unknown';
  code: string;
  /** In words, for admins. */
  said: string;
}

/** Times in milliseconds. */
export interface Gate {
  /** How many it may send now. */
  room: (nowMs: number) => number;
  /** When it may send the next. */
  freeAt: (nowMs: number) => number;
}

/** A connection to a carrier. Opened once per worker that serves its lane. */
export interface Carrier {
  provider: string;
  channel: Channel;
  /** A simulator: messages through it are marked as tests. */
  simulated: boolean;
  /** How many may be in flight now; the engine never hands over more. */
  window: number;
  /** How many more it hands over at once, if that may be fewer than its window says: others wait in the lane. */
  room?: () => number;
  /** What it may send now besides its throttles; without one: anything. */
  gate?: Gate | undefined;
  open: (events: CarrierEvents) => Promise<void>;
  /** Whether it can accept messages now. */
  isUp: () => boolean;
  /** Resolves with the outcome, in any order; never throws. */
  send: (message: Outgoing) => Promise<SendOutcome>;
  /** Asks what became of a message; never throws. Only where the protocol can. */
  ask?: (question: Question) => Promise<CarrierAnswer>;
  /** Lets what is in flight finish, up to the given time. */
  close: (timeoutMs: number) => Promise<void>;
}
