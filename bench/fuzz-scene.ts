/** An account as the fuzzer uses it. */
export interface FuzzAccount {
  accountId: string;
  email: string;
  password: string;
  /** A session. */
  token: string;
  secret: string;
  testSecret: string;
}

/** What one process of hostile clients is given. */
export interface FuzzOptions {
  url: string;
  mailboxToken: string;
  /** Takes events. */
  webhookUrl: string;
  seed: number;
  /** Ends after so many requests, or so many seconds, whichever comes first. */
  requests: number;
  seconds: number;
  /** Requests under way at once. */
  clients: number;
  /** Whose messages, cards and contacts are asked for. */
  main: FuzzAccount;
  other: FuzzAccount;
  admin: FuzzAccount;
  /** Its secrets are replaced again and again. */
  rotating: FuzzAccount;
  /** Their passwords are reset, and they sign in and out. */
  signers: FuzzAccount[];
  /** Each is closed once. */
  closing: FuzzAccount[];
}

export interface FuzzFault {
  call: string;
  /** The how-manieth request of its call, for a repetition. */
  number: number;
  status: string;
  answer: string;
  request: string;
}

export interface FuzzResult {
  /** By call, then by status (or `cut`, `refused`, `timeout`). */
  statuses: Record<string, Record<string, number>>;
  /** By call: how many got past the schema and the guard. */
  past: Record<string, number>;
  requests: number;
  seconds: number;
}
