/** SQLSTATE classes and socket errors that mean 'the database does not answer', not 'the statement was wrong'. */
const AWAY = /^(08|57P0|53300|ECONN|ENOENT$|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/;

export const isConnectionError = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && AWAY.test(code)) return true;
  return (
    typeof message === 'string' &&
    /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
      message,
    )
  );
};
