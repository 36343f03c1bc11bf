import type { ReaderOptions } from '../../office/query/reader.ts';
import { CONNECT_MS, closeAtOnce, connected, connectionFor, queryRows, socketOf } from './connection.ts';

/** Of clocks of two machines, and of whole seconds. */
const SLACK_S = 5;

/** A user sees its own threads. Their numbers begin anew with the server: what is older than the server is over. */
export const isAtWork = async (options: ReaderOptions, backend: string): Promise<boolean> => {
  const [thread, begunMs] = backend.split(' ').map(Number);
  const connection = connectionFor(options, undefined);
  const late = setTimeout(() => socketOf(connection).destroy(), 2 * CONNECT_MS);
  try {
    await connected(connection);
    const [[, uptime] = []] = await queryRows(connection, "show global status like 'Uptime'");
    if (Number(uptime) + SLACK_S < (Date.now() - (begunMs ?? 0)) / 1_000) return false;
    const threads = await queryRows(connection, 'show processlist');
    return threads.some(([id]) => Number(id) === thread);
  } finally {
    clearTimeout(late);
    closeAtOnce(connection);
  }
};
