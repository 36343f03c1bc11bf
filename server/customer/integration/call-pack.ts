import { promisify } from 'node:util';
import { constants, type ZstdOptions, zstdCompress, zstdDecompress } from 'node:zlib';
import type { MadeCall } from './made-call.ts';
import { maskAnswer } from './mask-answer.ts';

/** The first byte names the format of the rest. */
const PLAIN = 0;
const ZSTD = 1;
/** Below this many bytes compressing costs more than it saves. */
const COMPRESS_FROM = 4_000;
/** Zstandard, because deflate took three times as long. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };

const compress = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress);
const decompress = promisify<Buffer, Buffer>(zstdDecompress);

export interface PackedCall extends Omit<MadeCall, 'accountId' | 'answer'> {
  answer: unknown;
}

/** The call as it is stored. */
export const apiCallLine = (call: MadeCall): string => {
  const { atMs, method, path, test, status, durationMs, requestId, answer } = call;
  const facts = JSON.stringify([Math.round(atMs), method, path, test, status, durationMs, requestId]);
  // The answer is JSON already.
  return `${facts.slice(0, -1)},${answer === undefined ? 'null' : maskAnswer(answer)}]`;
};

export const packLines = async (lines: string[]): Promise<Buffer> => {
  const json = Buffer.from(`[${lines.join(',')}]`);
  if (json.length < COMPRESS_FROM) return Buffer.concat([Buffer.of(PLAIN), json]);
  return Buffer.concat([
    Buffer.of(ZSTD),
    await compress(json, { params: PARAMS, pledgedSrcSize: json.length }),
  ]);
};

type Line = [number, string, string, boolean, number, number, string, unknown];

export const unpackCalls = async (pack: Buffer): Promise<PackedCall[]> => {
  const content = pack.subarray(1);
  const json = pack[0] === ZSTD ? await decompress(content) : content;
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
