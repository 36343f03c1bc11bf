import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartNote } from '../lanes/index.ts';
import { listenAlive } from './alive-socket.ts';
import {
  type Attempt,
  type Handed,
  headerLine,
  type JournalAnswer,
  journalLine,
  linesOf,
  partLineOf,
  readBootId,
  withPart,
} from './journal-file.ts';

/**
 * What a worker hands to carriers and what they answer, where it survives the process. An attempt is the same object in
 * all calls.
 */
export interface Journal {
  /** False if it can't be written: nothing may be handed over until it was given up. */
  begin: (attempts: Attempt[]) => boolean;
  answer: (attempt: Attempt, answer: JournalAnswer) => void;
  /**
   * What changed about a part of a message that was begun; that it is handed over is in the file at once. False if it
   * can't be written: then the part must not go out.
   */
  part: (attempt: Attempt, note: PartNote) => boolean;
  /** The database knows the result. */
  end: (attempt: Attempt) => void;
  /** Whether all that was handed over is in it. */
  isComplete: () => boolean;
  /** The database knows that it is not complete: sending goes on without it. */
  giveUp: () => void;
  close: () => Promise<void>;
}

/** A worker without a journal: after a kill all its claims are unknown. */
export const NO_JOURNAL: Journal = {
  begin: () => true,
  answer: () => {},
  part: () => true,
  end: () => {},
  isComplete: () => false,
  giveUp: () => {},
  close: async () => {},
};

export interface JournalSettings {
  folder: string;
  /** A larger file is written anew with what is still open. */
  maxBytes?: number;
}

interface JournalOptions extends JournalSettings {
  workerId: string;
  /** It can't be written. Called once. */
  onBroken: (error: unknown) => void;
}

const MAX_BYTES = 1 << 20;

/** Shared by all that are in flight. */
const NOT_ANSWERED: Handed = Object.freeze({});

const writeAll = (file: number, text: string): number => {
  const bytes = Buffer.from(text);
  if (writeSync(file, bytes) !== bytes.length) throw new Error('the disk took only a part of the journal');
  return bytes.length;
};

const openFile = (path: string): number => openSync(path, 'w', 0o600);

/**
 * Appends without a flush to disk: a killed process loses nothing that the kernel has. Answers wait for the next
 * handover, or for the end of this turn of the event loop, so that one write carries many lines.
 */
const keepJournal = (path: string, header: string, { onBroken, maxBytes = MAX_BYTES }: JournalOptions) => {
  /** What was handed over and has no stored result. */
  const open = new Map<Attempt, Handed>();
  let file = openFile(path);
  let size = writeAll(file, header);
  let most = maxBytes;
  let waiting = '';
  let flushing = false;
  let state: 'kept' | 'broken' | 'given up' = 'kept';

  const rewrite = (): void => {
    const next = openFile(`${path}.next`);
    size = writeAll(next, header + [...open].map(([attempt, handed]) => linesOf(attempt, handed)).join(''));
    // From one complete file to another: a kill in between leaves one of them.
    renameSync(`${path}.next`, path);
    closeSync(file);
    file = next;
    most = Math.max(maxBytes, 2 * size);
  };
  const flush = (): void => {
    if (waiting === '' || state !== 'kept') return;
    try {
      size += writeAll(file, waiting);
      waiting = '';
      if (size > most) rewrite();
    } catch (error) {
      state = 'broken';
      onBroken(error);
    }
  };
  const flushSoon = (): void => {
    if (flushing) return;
    flushing = true;
    setImmediate(() => {
      flushing = false;
      flush();
    });
  };
  const note = (attempt: Attempt, answer?: JournalAnswer): void => {
    open.set(attempt, answer ? { answer } : NOT_ANSWERED);
    waiting += journalLine(attempt, answer);
  };

  return {
    begin: (attempts: Attempt[]): boolean => {
      if (state !== 'kept') return state === 'given up';
      for (const attempt of attempts) note(attempt);
      flush();
      return state === 'kept';
    },
    answer: (attempt: Attempt, answer: JournalAnswer): void => {
      if (state !== 'kept') return;
      note(attempt, answer);
      flushSoon();
    },
    part: (attempt: Attempt, note: PartNote): boolean => {
      const handed = open.get(attempt);
      // Parts of an attempt that is answered or given up change nothing.
      if (state !== 'kept' || !handed || handed.answer) return state !== 'broken';
      open.set(attempt, { parts: withPart(handed.parts, note) });
      waiting += partLineOf(attempt, note);
      if (note.part.state === 'unknown') flush();
      else flushSoon();
      return state === 'kept';
    },
    end: (attempt: Attempt): void => void open.delete(attempt),
    isComplete: (): boolean => state === 'kept',
    giveUp: (): void => {
      state = 'given up';
      open.clear();
    },
    close: async (): Promise<void> => {
      state = 'given up';
      closeSync(file);
      await rm(path, { force: true });
    },
  };
};

/** The short name keeps the socket's path short. */
const nameOf = (workerId: string): string => workerId.slice(0, 8);

/** Throws where a journal can't be kept. */
export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const { folder, workerId } = options;
  const bootId = await readBootId();
  if (!bootId) throw new Error('this system does not say which boot this is');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, nameOf(workerId));
  const { close: closeSocket, ...socket } = await listenAlive(`${path}.sock`);
  try {
    const header = headerLine({ version: 1, workerId, bootId, socket });
    const journal = keepJournal(`${path}.journal`, header, options);
    return {
      ...journal,
      close: async () => {
        await journal.close();
        await closeSocket();
      },
    };
  } catch (error) {
    await closeSocket();
    throw error;
  }
};
