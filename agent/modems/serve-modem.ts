import type {
  AgentIncoming,
  AgentReceipt,
  AgentSend,
  HandOverResult,
} from '../../contract/fleet/agent-protocol.ts';
import type { AgentJournal } from '../journal/journal.ts';
import { type Modem, tooLate, unknown } from './modem.ts';

/** A modem with the hand-overs that wait for it. */
export interface ServedModem {
  name: string;
  modem: Modem;
  /** It is in the journal already. */
  add: (send: AgentSend) => void;
  /** The server's clock is known now. */
  work: () => void;
  open: () => Promise<void>;
  close: () => Promise<void>;
}

interface ServeModemOptions {
  name: string;
  modem: Modem;
  journal: AgentJournal;
  /** By the server's clock, in milliseconds; undefined until the server has told it. */
  serverNow: () => number | undefined;
  say: (frame: HandOverResult | AgentReceipt | AgentIncoming) => void;
  changed: () => void;
  /** The journal can't be written: nothing may be sent any more. */
  onBroken: (error: unknown) => void;
}

/** Gives a modem one message after another. Each is noted before the modem gets it, and its outcome after. */
export const serveModem = ({
  name,
  modem,
  journal,
  serverNow,
  say,
  changed,
  onBroken,
}: ServeModemOptions): ServedModem => {
  const waiting: { send: AgentSend; again: boolean }[] = [];
  let working: Promise<void> | undefined;
  let closing = false;
  let opened = false;

  const finish = (send: AgentSend, outcome: Parameters<AgentJournal['finish']>[1]): void =>
    say(journal.finish(send, outcome));

  const tell = (frame: AgentReceipt | AgentIncoming | undefined): void => {
    if (frame) say(frame);
  };
  /** The modem keeps what could not be noted. */
  const noted = <Value>(act: () => Value): Value => {
    try {
      return act();
    } catch (error) {
      onBroken(error);
      throw error;
    }
  };

  const sendOne = async ({ send, again }: { send: AgentSend; again: boolean }): Promise<void> => {
    const now = serverNow();
    const expired = now !== undefined && now > Date.parse(send.until);
    if (expired && !again) {
      finish(send, tooLate());
      return;
    }
    journal.begin(send.id);
    finish(send, await modem.send({ ...send, again, expired }));
  };
  /** Deadlines are by the server's clock, so nothing begins before the server has told its time. */
  const isReady = (): boolean => opened && !closing && serverNow() !== undefined && waiting.length > 0;
  const work = async (): Promise<void> => {
    while (isReady()) {
      const next = waiting.shift();
      if (next) await sendOne(next);
    }
  };
  const wake = (): void => {
    if (working || !isReady()) return;
    working = work()
      .catch((error: unknown) => {
        closing = true;
        onBroken(error);
      })
      .finally(() => {
        working = undefined;
        // Something may have come after the last look.
        wake();
      });
  };

  /** What the process before this one left: what was begun can't be known, unless the driver sends it only once. */
  for (const { send, begun, result } of journal.handOvers()) {
    if (send.modem !== name || result) continue;
    if (!begun || modem.idempotent) waiting.push({ send, again: begun });
    else
      finish(
        send,
        unknown({ parts: 1, code: 'AGENT_ENDED', reason: 'The agent ended while the modem had it.' }),
      );
  }

  return {
    name,
    modem,
    work: wake,
    add: (send) => {
      waiting.push({ send, again: false });
      wake();
    },
    open: async () => {
      await modem.open({
        report: (report) => tell(noted(() => journal.report(name, report))),
        arrived: (arrival) =>
          tell(noted(() => journal.arrive({ modem: name, imsi: modem.state().imsi }, arrival))),
        deleted: (key) => noted(() => journal.deleted(key)),
        changed,
      });
      opened = true;
      wake();
    },
    close: async () => {
      closing = true;
      await working;
      await modem.close();
    },
  };
};
