import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { MadeCall } from './made-call.ts';
import { maskAnswer } from './mask-answer.ts';

/** The first byte says how the rest is kept. */
const PLAIN = 0;
const DEFLATED = 1;
/** Below so many bytes deflating costs more than it saves. */
const DEFLATE_FROM = 2_000;
/** The fastest. */
const LEVEL = 1;

const deflate = promisify<Buffer, { level: number }, Buffer>(deflateRaw);
const inflate = promisify<Buffer, Buffer>(inflateRaw);

export interface PackedCall extends Omit<MadeCall, 'accountId' | 'answer'> {
  answer: unknown;
}

const line = (call: MadeCall): string => {
  const { atMs, method, path, test, status, durationMs, requestId, answer } = call;
  const facts = JSON.stringify([Math.round(atMs), method, path, test, status, durationMs, requestId]);
  // The answer is JSON already.
  return `${facts.slice(0, -1)},${answer === undefined ? 'null' : maskAnswer(answer)}]`;
};

export const packCalls = async (calls: MadeCall[]): Promise<Buffer> => {
  const json = Buffer.from(`[${calls.map(line).join(',')}]`);
  if (json.length < DEFLATE_FROM) return Buffer.concat([Buffer.of(PLAIN), json]);
  return Buffer.concat([Buffer.of(DEFLATED), await deflate(json, { level: LEVEL })]);
};

type Line = [number, string, string, boolean, number, number, string, unknown];

export const unpackCalls = async (pack: Buffer): Promise<PackedCall[]> => {
  const content = pack.subarray(1);
  const json = pack[0] === DEFLATED ? await inflate(content) : content;
  return (JSON.parse(json.toString()) as Line[]).map(
    ([atMs, method, path, test, status, durationMs, requestId, answer]) => ({
      atMs,
      method,
      path,
      test,
      status,
      durationMs,
      requestId,
      answer,
    }),
  );
};
