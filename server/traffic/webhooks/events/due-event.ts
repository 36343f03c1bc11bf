import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { AnswerFault, EventId, EventState, EventType } from '../../../../contract/traffic/webhooks.ts';

/** A chunk whose events are being sent. */
export interface DueChunk {
  id: EventId;
  accountId: AccountId;
  type: EventType;
  createdAt: Date;
  begunAt: string;
  ageMs: number;
  attempts: number;
  /** Whether an event of the account is retried, so that later ones of its message have to wait. */
  isRetrying: boolean;
}

/** An event as it is sent. */
export interface DueEvent {
  id: EventId;
  type: EventType;
  messageId: MessageId | null;
  /** JSON. */
  data: string;
  createdAt: Date;
  /** The series of attempts that it is in, as PostgreSQL writes it, and how long the series has lasted. */
  begunAt: string;
  ageMs: number;
  /** Attempts before this one. */
  attempts: number;
  /** An earlier event of its message is tried again then. */
  heldUntil: Date | null;
  /** The failed call that it was in: its events are sent again together. Null at the first attempt. */
  failedCall: string | null;
  /** Undefined for an event that has a row of its own. */
  chunk?: DueChunk;
}

/** The receiver's answer to an attempt. */
export interface GivenAnswer {
  at: Date;
  status: number | null;
  fault: AnswerFault | '';
  body: string;
  milliseconds: number;
}

/** What becomes of an event after an attempt, or without one if it is put off. */
export interface EventOutcome {
  event: DueEvent;
  state: EventState;
  nextAt: Date | null;
  answer: GivenAnswer | undefined;
}
