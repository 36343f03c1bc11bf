import mysql, { type Connection } from 'mysql2';
import type { ReaderOptions } from '../../office/query/reader.ts';

export const CONNECT_MS = 5_000;

/** Begins to connect. */
export const connectionFor = (options: ReaderOptions, database: string | undefined): Connection => {
  const connection = mysql.createConnection({
    host: options.host.startsWith('/') ? undefined : options.host,
    socketPath: options.host.startsWith('/') ? options.host : undefined,
    port: options.port ?? 3306,
    user: options.user,
    password: options.password,
    database,
    ...(options.tls && { ssl: {} }),
    charset: 'utf8mb4_general_ci',
    connectTimeout: CONNECT_MS,
    // The server itself refuses a second statement.
    multipleStatements: false,
    // Otherwise rows are read by code that is made of the columns' names, some of which end the connection.
    disableEval: true,
  });
  connection.on('error', () => {});
  return connection;
};

export const connected = (connection: Connection): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });

export const queryRows = (connection: Connection, sql: string, values: string[] = []): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    connection.query({ sql, values, rowsAsArray: true }, (error, rows) =>
      error ? reject(error) : resolve(rows as unknown as string[][]),
    );
  });

/** What `mysql2` keeps for itself. */
export const socketOf = (connection: Connection) =>
  (connection as unknown as { stream: NodeJS.ReadableStream & { destroy: () => void; destroyed: boolean } })
    .stream;

/** `destroy` alone waits for the server to hang up too. */
export const closeAtOnce = (connection: Connection): void => {
  connection.destroy();
  socketOf(connection).destroy();
};
