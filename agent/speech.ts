import type { Ack, AgentFrame } from '../contract/fleet/agent-protocol.ts';
import type { AgentJournal } from './journal/journal.ts';
import { dueAgain } from './next-step.ts';

interface SpeechOptions {
  journal: Pick<AgentJournal, 'unacknowledged' | 'acknowledge'>;
  /** False if nobody is there to hear it. */
  send: (frame: AgentFrame) => boolean | undefined;
}

/** What is said to the server, and said again until it is acknowledged. */
export const openSpeech = ({ journal, send }: SpeechOptions) => {
  /** By this connection. */
  const saidAt = new Map<string, number>();
  const say = (frame: AgentFrame): void => {
    if (send(frame) && 'id' in frame) saidAt.set(frame.id, performance.now());
  };
  return {
    say,
    repeat: (olderThanMs: number): void =>
      dueAgain(journal.unacknowledged(), { saidAt, now: performance.now(), olderThanMs }).forEach(say),
    acknowledged: (ack: Ack): void => {
      journal.acknowledge(ack);
      for (const id of [...ack.results, ...ack.receipts, ...ack.incoming]) saidAt.delete(id);
    },
    /** The next connection has heard nothing. */
    forget: (): void => saidAt.clear(),
  };
};
