/** Deadlock and serialization failure: two writers collided, and the other one went first. */
export const isWriteConflict = (error: unknown): boolean =>
  ['40P01', '40001'].includes((error as { code?: string } | null | undefined)?.code ?? '');

const MOST_TRIES = 5;

/** Runs the whole transaction again after a write conflict; the database has rolled the first attempt back. */
export const retryOnConflict = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isWriteConflict(error)) throw error;
    }
};
