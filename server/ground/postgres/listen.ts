import pg from 'pg';

interface ListenOptions {
  url: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** Called whenever the connection is up again: notifications in between were missed. */
  onReady: () => void;
  onError: (error: Error) => void;
}

const RETRY_MS = 500;

/** Listens on its own connection and renews it if it breaks, until it is closed. */
export const listenTo = ({ url, channel, onNotice, onReady, onError }: ListenOptions) => {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'posthorn-listen',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client = next;
    let over = false;
    const again = (error?: Error): void => {
      if (over) return;
      over = true;
      next.end().catch(() => {});
      if (closed) return;
      if (error) onError(error);
      retry = setTimeout(() => void connect(), RETRY_MS);
    };
    next.on('error', again);
    next.on('end', () => again());
    next.on('notification', ({ payload }) => onNotice(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      onReady();
    } catch (error) {
      again(error as Error);
    }
  };

  void connect();
  return {
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
};
