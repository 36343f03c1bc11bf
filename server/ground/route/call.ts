import type { Body, CallName, Headers, Params, Query, Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../contract/customer/admin-roles.ts';
import type { Language } from '../../../contract/ground/constants.ts';

/** The caller, from the session; only present behind the customer and admin guards. */
export interface Caller {
  accountId: AccountId;
  admin: boolean;
  /** Of an admin. */
  role?: AdminRole;
  /** The session's token hash: what logging out ends. */
  sessionHash: Buffer;
  viewer?: Viewer;
}

/** An admin who sees an account as its owner does. */
export interface Viewer {
  adminId: AccountId;
  /** Otherwise every call that does not read is refused. */
  mayChange: boolean;
  until: Date;
}

/** The account that sends: from its secret, its test secret or a session. */
export interface SendingAccount {
  accountId: AccountId;
  /** With the test secret: through a simulator, and free of charge. */
  test: boolean;
  /** Signed in, as the pages are. */
  byPage?: true;
  viewer?: Viewer;
}

/** What a call changed, for the audit log: an object as it was and as it became. Secrets are left out there. */
export interface AuditChange {
  /** What it is, where the address of the call does not name it; such as a new id. */
  subject?: string;
  /** Whose it is, where the call does not say. */
  accountId?: AccountId;
  before?: unknown;
  after?: unknown;
}

/** What a handler may ask of any request. */
export interface RequestContext {
  language: Language;
  /** The caller's network address: for limits, never for identity. */
  address: string;
  /** Sets a header of the answer, such as how long it may be cached. */
  header: (name: string, value: string) => void;
  /** Aborted if the caller leaves before the answer: work that waits for a slot need not be done any more. */
  hungUp: AbortSignal;
  /** Says what the call changed: every write of an admin's does. */
  changed: (change: AuditChange) => void;
  /** Of an admin's write: the audit log's entry of what was asked for, for what is written down elsewhere. */
  entryId?: string | undefined;
}

type Input<N extends CallName> = RequestContext & {
  params: Params<N>;
  query: Query<N>;
  body: Body<N>;
  headers: Headers<N>;
};

export type MaybePromise<T> = T | Promise<T>;

/** The identities that each guard passes to a handler. */
export interface AsCaller {
  caller: Caller;
}
export interface AsSender {
  sender: SendingAccount;
}

/** Handlers of a room, by call; a room may answer any of the calls. */
export type OpenRoutes = { [N in CallName]?: (input: Input<N>) => MaybePromise<Reply<N>> };
export type CallerRoutes = {
  [N in CallName]?: (input: Input<N> & AsCaller) => MaybePromise<Reply<N>>;
};
export type SenderRoutes = {
  [N in CallName]?: (input: Input<N> & AsSender) => MaybePromise<Reply<N>>;
};
