/** Deadlock and serialization failure: two writers collided, and the other one went first. */
export const hasMetAnother = (error: unknown): boolean =>
  ['40P01', '40001'].includes((error as { code?: string } | null | undefined)?.code ?? '');

const MOST_TRIES = 5;

/** Does it again after a collision: the whole transaction, of which nothing is left then. */
export const againAfterMeeting = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !hasMetAnother(error)) throw error;
    }
};
