import { DomainError } from '../domain-error.ts';

/** The text again from its start, after a look at its first non-empty part. */
export const peek = async (
  texts: AsyncGenerator<string>,
): Promise<{ start: string; all: AsyncGenerator<string> }> => {
  let start = '';
  while (start.trim() === '') {
    const { value, done } = await texts.next();
    if (done) throw new DomainError('E_CSV_EMPTY');
    start = value;
  }
  const all = async function* () {
    yield start;
    yield* texts;
  };
  return { start, all: all() };
};
