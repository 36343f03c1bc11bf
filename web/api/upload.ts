import { type AnyOptions, ask } from './call.ts';

/** A large file takes its time, both to get there and to be read. */
const TIMEOUT_MS = 10 * 60_000;

/** Sends a file and the fields beside it as a form, and answers what the server makes of it. */
export const upload = async <T>(
  path: string,
  { file, fields = {}, ...options }: { file: File; fields?: Record<string, string> } & AnyOptions,
): Promise<T> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('csv', file);
  const { content } = await ask('POST', path, { timeoutMs: TIMEOUT_MS, ...options, body: form });
  return JSON.parse(await content.text()) as T;
};
