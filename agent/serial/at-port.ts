import { AtError, AtSilence, NothingSent } from './at-errors.ts';
import { openUnsolicited, type Unsolicited } from './unsolicited.ts';

/** The bytes of a serial line. */
export interface SerialLine {
  write: (text: string) => void;
  onData: (listener: (text: string) => void) => void;
  onClose: (listener: (reason: string) => void) => void;
  close: () => void;
}

interface Pending {
  command: string;
  lines: string[];
  resolve: (lines: string[]) => void;
  reject: (error: Error) => void;
  /** Its answer is the prompt for a PDU. */
  prompt: boolean;
  /** It is a PDU. */
  submits: boolean;
  timer: NodeJS.Timeout;
}

export interface AtPort {
  /** The lines before OK. One after another, in the order of the calls. */
  command: (command: string, timeoutMs?: number) => Promise<string[]>;
  /** AT+CMGS with its PDU: the lines before OK. Throws NothingSent if it failed before the modem had the PDU. */
  submit: (pdu: { hex: string; length: number }, timeoutMs: number) => Promise<string[]>;
  /** Leaves a command or a PDU of which only a part was written. */
  escape: () => void;
  isOpen: () => boolean;
  close: () => void;
}

const ANSWER_MS = 10_000;
const CTRL_Z = '\x1a';
const ESCAPE = '\x1b';
const ERROR = /^\+(CMS|CME) ERROR: *(\d+)/;

/** The protocol of AT commands over a line: one command at a time, and what comes unasked in between. */
export const openAtPort = (
  line: SerialLine,
  heard: { unsolicited: (said: Unsolicited) => void; closed: (reason: string) => void },
): AtPort => {
  let open = true;
  let rest = '';
  let pending: Pending | undefined;
  let strayOks = 0;
  const unsolicited = openUnsolicited(heard.unsolicited);
  let turn: Promise<unknown> = Promise.resolve();

  const finish = (act: (of: Pending) => void): void => {
    const of = pending;
    if (!of) return;
    pending = undefined;
    clearTimeout(of.timer);
    act(of);
  };
  const takeLine = (text: string): void => {
    if (unsolicited.takes(text)) return;
    // The late answer to a message of a process before this one: its OK is not that of the pending command.
    if (text.startsWith('+CMGS:') && !pending?.submits) {
      strayOks += 1;
      return;
    }
    if (text === 'OK' && strayOks > 0) {
      strayOks -= 1;
      return;
    }
    if (!pending || text === pending.command) return;
    const [, kind, number] = ERROR.exec(text) ?? [];
    if (kind) finish(({ reject }) => reject(new AtError(`${kind}-${number}`)));
    else if (text === 'ERROR' || text === 'BUSY' || text === 'NO CARRIER')
      finish(({ reject }) => reject(new AtError(text)));
    else if (text === 'OK') finish(({ lines, resolve }) => resolve(lines));
    else pending.lines.push(text);
  };
  line.onData((text) => {
    rest += text;
    for (;;) {
      const end = rest.search(/[\r\n]/);
      if (end < 0) break;
      const said = rest.slice(0, end).trim();
      rest = rest.slice(end + 1);
      if (said !== '') takeLine(said);
    }
    if (pending?.prompt && /^\s*>/.test(rest)) {
      rest = '';
      finish(({ resolve }) => resolve([]));
    }
  });
  line.onClose((reason) => {
    open = false;
    finish(({ reject }) => reject(new AtSilence(reason)));
    heard.closed(reason);
  });

  const ask = (text: string, end: string, timeoutMs: number, prompt = false): Promise<string[]> =>
    new Promise((resolve, reject) => {
      if (!open) {
        reject(new AtSilence('the line to the modem is closed'));
        return;
      }
      const timer = setTimeout(
        () => finish((of) => of.reject(new AtSilence('the modem does not answer'))),
        timeoutMs,
      );
      pending = { command: text, lines: [], resolve, reject, prompt, submits: end === CTRL_Z, timer };
      line.write(text + end);
    });
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = turn.then(work, work);
    turn = done.catch(() => {});
    return done;
  };
  return {
    command: (command, timeoutMs = ANSWER_MS) => inTurn(() => ask(command, '\r', timeoutMs)),
    submit: ({ hex, length }, timeoutMs) =>
      inTurn(async () => {
        try {
          await ask(`AT+CMGS=${length}`, '\r', Math.min(ANSWER_MS, timeoutMs), true);
        } catch (error) {
          if (open) line.write(ESCAPE);
          throw new NothingSent(error as Error);
        }
        return ask(hex, CTRL_Z, timeoutMs);
      }),
    escape: () => line.write(ESCAPE),
    isOpen: () => open,
    close: () => line.close(),
  };
};
