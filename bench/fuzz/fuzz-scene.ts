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
  /** Those who take turns as the main one: all requests of one account would wait for each other. */
  mains: FuzzAccount[];
  other: FuzzAccount;
  admin: FuzzAccount;
  /** Its secrets are replaced again and again. */
  rotating: FuzzAccount;
  /** Their passwords are reset, and they sign in and out. */
  signers: FuzzAccount[];
  /** Each is closed once. */
  closing: FuzzAccount[];
  /** By parameter: ids up to this are the installation's own lanes and prices, which the good customer needs. */
  own: Record<string, number>;
}

export interface FuzzFault {
  call: string;
  /** The how-manieth request of its call, for a repetition. */
  number: number;
  status: string;
  answer: string;
  request: string;
}

export interface FuzzedCall {
  /** How often it was to be made, where a usual one is made a hundred times. */
  weight: number;
  /** By status (or `cut`, `refused`, `timeout`). */
  statuses: Record<string, number>;
  /** How many got past the schema and the guard. */
  past: number;
  /** How long all of them took together. */
  tookMs: number;
}

export interface FuzzResult {
  calls: Record<string, FuzzedCall>;
  requests: number;
  seconds: number;
}
