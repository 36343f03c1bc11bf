import type { Channel } from '../../contract/ground/channels.ts';
import type { Config } from '../config.ts';

/** What only a look at the machine tells; undefined where it could not be seen. */
export interface Probes {
  /** Permission bits of the data folder and of the key file in it. */
  dataDirMode: number | undefined;
  keyFileMode: number | undefined;
  /** Of the disk of the data folder. */
  freeBytes: number | undefined;
  /** How far this machine's clock is ahead of the database's; negative if it is behind. */
  clockAheadMs: number | undefined;
  isRoot: boolean;
}

/** Everything that the checks go by. */
export interface SafetyFacts {
  config: Config;
  /** Channels that the settings give a real way out; messages by them cost the operator money. */
  realChannels: readonly Channel[];
  probes: Probes;
  /** Whether strangers can come, or real messages go out: what is safe on one's own machine may not be then. */
  isProduction: boolean;
  /** Whether PUBLIC_URL names another machine than one's own. */
  isPublic: boolean;
}

/**
 * `refuse`: the program does not start. `unsafe`: it starts with a warning, and `npm run doctor` fails. `advice`: only
 * the doctor says it.
 */
export type Level = 'refuse' | 'unsafe' | 'advice';

export interface Finding {
  /** The check that found it: an item of README's list. */
  title: string;
  level: Level;
  /** What is wrong, and what that means. */
  sentence: string;
  /** What to do about it. */
  remedy: string;
}

/** One item of README's list of what production needs. */
export interface SafetyCheck {
  title: string;
  look: (facts: SafetyFacts) => Omit<Finding, 'title'>[];
}

type Part = Omit<Finding, 'title'>;

/** A finding of this level, if it is one. */
const at =
  (level: Level) =>
  (found: boolean, sentence: string, remedy: string): Part[] =>
    found ? [{ level, sentence, remedy }] : [];

export const refuse = at('refuse');
export const unsafe = at('unsafe');
export const advice = at('advice');
