import type { QueryEngineName, QueryRefusal } from '../../../contract/office/query.ts';

/** Where in the SQL, in UTF-16 units from 0. */
type Position = number | undefined;

export type StatementVerdict =
  /** The statement alone, which began at that place, with a limit if its outer query had none. */
  | { kind: 'reads'; sql: string; limited: boolean; begin: number }
  | { kind: 'refused'; reason: QueryRefusal; detail: string; position: Position };

export type Use =
  /** What comes from a secret has one of these names in the answer, where the engine goes by names. */
  | { kind: 'traced'; names: Set<string> }
  /** The statement uses a secret in a way that can't be traced to the answer. */
  | { kind: 'untraceable'; what: string };

/** What an engine says of a text that a stranger wrote. Done in a thread: a text may take any time and memory. */
export interface Judge {
  judge: (sql: string, rowLimit: number) => Promise<StatementVerdict>;
  /** The secrets are the engine's own description of them. */
  trace: (sql: string, secrets: unknown) => Promise<Use>;
}
/** Whose text it is, and until when the answer is wanted. */
export interface JudgingTurn {
  key: string;
  signal: AbortSignal;
}
/** The same, as it is asked from outside the thread. */
export interface Judging {
  judge: (sql: string, rowLimit: number, turn?: JudgingTurn) => Promise<StatementVerdict>;
  trace: Judge['trace'];
}

export interface ReadRequest {
  database: string;
  sql: string;
  values?: string[] | undefined;
  timeoutMs: number;
  /** For an engine that limits the outer query itself where it has no limit of its own. */
  rowLimit?: number | undefined;
  mostRows: number;
  /** Of rows with columns: each cell costs time and memory, however short it is. Ours have few columns. */
  mostCells?: number | undefined;
  /** Of the answer, as it comes from the database. */
  mostBytes: number;
  /** Aborted when the answer is no longer wanted: the statement is then cancelled in the database. */
  signal: AbortSignal;
  /** Told before the statement runs: what the database knows this connection by, for as long as it is at work. */
  onBackend?: ((backend: string) => Promise<void>) | undefined;
}

export type ReadOutcome = {
  /** The connection was cut before the database said that the statement is over: this may still be at work. */
  cut?: string | undefined;
  /** Run once more, because the end of another statement ended all on this server. */
  again?: boolean | undefined;
} & (
  | {
      kind: 'done';
      columns: { name: string; type: string }[];
      rows: (string | null)[][];
      truncated: boolean;
    }
  | { kind: 'cancelled' }
  | { kind: 'timed_out' }
  /** Its end was told, and the database has not said that it is over. */
  | { kind: 'lingering'; since: Date; as: 'cancelled' | 'timed_out' | 'failed' }
  /** The database's own words. 'lost': it went away, or was about to come, through no fault of the statement. */
  | { kind: 'failed'; message: string; position: Position; lost?: boolean }
  /** Names a secret in a way that can't be traced to the answer. */
  | { kind: 'untraceable'; what: string }
  /** The user of this connection may do more than read what it should: nothing is run. */
  | { kind: 'unsafe'; message: string }
);

/** The one way to a database: each statement has a connection and a read-only transaction of its own. */
export interface Reader {
  judge: Judging['judge'];
  read: (request: ReadRequest) => Promise<ReadOutcome>;
  /** Those that the user may connect to. */
  listDatabases: (request: Pick<ReadRequest, 'timeoutMs' | 'signal'>) => Promise<ReadOutcome>;
  /** Rows of table, column and type. */
  listColumns: (request: Pick<ReadRequest, 'database' | 'timeoutMs' | 'signal'>) => Promise<ReadOutcome>;
  /** Asks the database, by another connection. Throws if that can't be told just now. */
  isAtWork: (place: { database: string; backend: string }) => Promise<boolean>;
  /** How this engine writes the value with this number, from 1, in a statement. */
  placeholder: (number: number) => string;
}

export interface ReaderOptions {
  host: string;
  port: number | undefined;
  user: string;
  password: string | undefined;
  tls: boolean;
  databases: string[];
  /** As `database.schema.table.column`. */
  secret: string[];
  /** Who keeps them secret: views of the database, so that a user who can read one is refused, or the program. */
  mask: 'views' | 'program';
}

export type OpenReader = (options: ReaderOptions, judging: Judging) => Reader;
export type Readers = Record<QueryEngineName, () => Promise<OpenReader>>;

/** A database server of the program's own, whose work may be ended by force. */
export interface OwnServer {
  /** Throws if that can't be told just now. */
  isThere: (backend: string) => Promise<boolean>;
  /**
   * Ends the statement's process, which restarts the server and ends all other statements on it. False if there is
   * nothing left to end.
   */
  kill: (backend: string) => Promise<boolean>;
  /** Gives the statement the lowest CPU priority. Throws if the process has ended or the system has no priorities. */
  putBehind: (backend: string) => Promise<void>;
  /** Resolves once the server answers again, or after waiting too long. */
  ready: () => Promise<void>;
}
