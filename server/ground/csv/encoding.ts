import iconv from 'iconv-lite';
import { DomainError } from '../domain-error.ts';

/** Big5 with Hong Kong's characters. */
const BIG5 = 'big5hkscs';
export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | typeof BIG5;

const markOf = (start: Buffer): CsvEncoding | undefined => {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return undefined;
};

/**
 * Detects the encoding while the bytes pass. UTF-16 is recognised by its mark; valid UTF-8 is taken as such, because
 * hardly any other text is; anything else is taken for Big5, and reading will show whether it is.
 */
export const openEncodingProbe = () => {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let marked: CsvEncoding | undefined;
  let started = false;
  let valid = true;
  return {
    see: (bytes: Buffer): void => {
      if (!started && bytes.length > 0) {
        marked = markOf(bytes);
        started = true;
      }
      if (marked) return;
      if (bytes.includes(0)) throw new DomainError('E_CSV_NOT_TEXT');
      try {
        if (valid) utf8.decode(bytes, { stream: true });
      } catch {
        valid = false;
      }
    },
    found: (): CsvEncoding => {
      if (marked) return marked;
      if (!valid) return BIG5;
      try {
        utf8.decode();
      } catch {
        throw new DomainError('E_CSV_TRUNCATED');
      }
      return 'utf-8';
    },
  };
};

async function* decodeBig5(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(BIG5);
  const checked = (text: string): string => {
    // A wrong guess must not be sent and paid for.
    if (text.includes('\uFFFD')) throw new DomainError('E_CSV_NOT_TEXT');
    return text;
  };
  for await (const chunk of bytes) yield checked(decoder.write(chunk));
  yield checked(decoder.end() ?? '');
}

async function* decodeUnicode(bytes: AsyncIterable<Buffer>, encoding: CsvEncoding): AsyncGenerator<string> {
  // It also removes the byte order mark.
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new DomainError(chunk ? 'E_CSV_NOT_TEXT' : 'E_CSV_TRUNCATED');
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

export const decodeCsv = (bytes: AsyncIterable<Buffer>, encoding: CsvEncoding): AsyncGenerator<string> =>
  encoding === BIG5 ? decodeBig5(bytes) : decodeUnicode(bytes, encoding);
