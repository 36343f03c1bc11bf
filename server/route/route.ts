import type { AccountId } from '../../contract/accounts.ts';
import type { Body, CallName, Headers, Params, Query, Reply } from '../../contract/calls.ts';
import type { Language } from '../../contract/constants.ts';

/** Who is calling, as the session says; only present behind the customer and admin guards. */
export interface Caller {
  accountId: AccountId;
  admin: boolean;
  /** The session's token hash: what logging out ends. */
  sessionHash: Buffer;
}

/** Whose message it is: told by the account's secret, its test secret or a session. */
export interface Sender {
  accountId: AccountId;
  /** With the test secret: through a simulator, and free of charge. */
  test: boolean;
  /** Signed in, as the pages are. */
  byPage?: true;
}

export interface Visit {
  language: Language;
  /** The caller's network address: for limits, never for identity. */
  address: string;
  /** Whether the request came from this machine itself, not through a proxy. */
  local: boolean;
  /** Sets a header of the answer, such as how long it may be cached. */
  header: (name: string, value: string) => void;
  /** Tells when the caller goes away before the answer: what waits for a turn need not be done any more. */
  hungUp: AbortSignal;
}

type Input<N extends CallName> = Visit & {
  params: Params<N>;
  query: Query<N>;
  body: Body<N>;
  headers: Headers<N>;
};

export type MaybePromise<T> = T | Promise<T>;

/** Whom a guard has let in, as a handler is told. */
export interface AsCaller {
  caller: Caller;
}
export interface AsSender {
  sender: Sender;
}

/** Handlers of a room, by call; a room may answer any of the calls. `local` answers on this machine only. */
export type OpenRoutes = { [N in CallName]?: (input: Input<N>) => MaybePromise<Reply<N>> };
export type CallerRoutes = {
  [N in CallName]?: (input: Input<N> & AsCaller) => MaybePromise<Reply<N>>;
};
export type SenderRoutes = {
  [N in CallName]?: (input: Input<N> & AsSender) => MaybePromise<Reply<N>>;
};
