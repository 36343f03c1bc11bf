import { open, readFile } from 'node:fs/promises';
import type { PartNote, SendOutcome, SentPart } from '../lanes/index.ts';
import type { AliveSocket } from './alive-socket.ts';

/** One handover of a message to a carrier. */
export interface Attempt {
  id: string;
  attempts: number;
}

/** A carrier's answer, and when it came, in milliseconds. */
export interface JournalAnswer {
  outcome: SendOutcome;
  at: number;
}

/** What is known of one handover. */
export interface Handed {
  answer?: JournalAnswer | undefined;
  /** Of a message in several: each that was handed over or answered; the others certainly were not. */
  parts?: SentPart[] | undefined;
}

/** The first line of a journal. */
export interface JournalHeader {
  version: 1;
  workerId: string;
  /** Without a flush to disk, a file is only complete within the boot of its system in which it was written. */
  bootId: string;
  socket: AliveSocket;
}

export const attemptKey = ({ id, attempts }: Attempt): string => `${id} ${attempts}`;
export const headerLine = (header: JournalHeader): string => `${JSON.stringify(header)}\n`;
export const journalLine = (attempt: Attempt, answer: JournalAnswer | undefined): string =>
  answer ? `< ${attemptKey(attempt)} ${JSON.stringify(answer)}\n` : `> ${attemptKey(attempt)}\n`;

export const partLineOf = (attempt: Attempt, note: PartNote): string =>
  `+ ${attemptKey(attempt)} ${JSON.stringify(note)}\n`;

/** All lines of a handover, for a file that is written anew. */
export const linesOf = (attempt: Attempt, { answer, parts }: Handed): string => {
  if (answer || !parts) return journalLine(attempt, answer);
  const total = parts.length;
  return (
    journalLine(attempt, undefined) +
    parts.map((part, index) => partLineOf(attempt, { number: index + 1, total, part })).join('')
  );
};

/** The parts with what changed about one of them. */
export const withPart = (parts: SentPart[] | undefined, { number, total, part }: PartNote): SentPart[] => {
  const known = parts ?? Array.from({ length: total }, (): SentPart => ({ state: 'waiting' }));
  known[number - 1] = part;
  return known;
};

const LINE = /^(?:> (\S+ \d+)|([<+]) (\S+ \d+) (\{.*\}))$/;

export interface JournalContent {
  header: JournalHeader;
  /** What was handed over. */
  handed: Map<string, Handed>;
}

const parseHeader = (line: string | undefined): JournalHeader | undefined => {
  const header = JSON.parse(line ?? '') as Partial<JournalHeader>;
  return header.version === 1 ? (header as JournalHeader) : undefined;
};

/**
 * Undefined if it is no journal or not a whole one. The last line may be torn, since its writer was killed: then the
 * write had not ended, and nothing of it was handed over. Any other line that can't be read spoils all.
 */
export const parseJournal = (text: string): JournalContent | undefined => {
  const lines = text.split('\n');
  lines.pop();
  try {
    const header = parseHeader(lines.shift());
    if (!header) return undefined;
    const handed = new Map<string, Handed>();
    for (const line of lines) {
      const [, begun, mark, told, what] = LINE.exec(line) ?? [];
      if (begun) handed.set(begun, handed.get(begun) ?? {});
      else if (!told || !what) return undefined;
      else if (mark === '<') handed.set(told, { answer: JSON.parse(what) as JournalAnswer });
      else handed.set(told, { parts: withPart(handed.get(told)?.parts, JSON.parse(what) as PartNote) });
    }
    return { header, handed };
  } catch {
    return undefined;
  }
};

const HEADER_BYTES = 1_024;

/** Without the lines after it, which may be many. */
export const readJournalHeader = async (path: string): Promise<JournalHeader | undefined> => {
  const file = await open(path).catch(() => undefined);
  try {
    if (!file) return undefined;
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return parseJournal(text.slice(0, text.indexOf('\n') + 1))?.header;
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
};

export const readJournal = async (path: string): Promise<JournalContent | undefined> =>
  parseJournal(await readFile(path, 'utf8').catch(() => ''));

/** Undefined where the system does not say which boot this is: nothing that was written before can be trusted then. */
export const readBootId = async (): Promise<string | undefined> => {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return text.trim() || undefined;
};
