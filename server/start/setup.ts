import type { Config } from '../config.ts';
import type { Installation } from './installation.ts';
import type { SmsLanes } from './lanes.ts';

/** What a start has found out before it opens the rooms. */
export interface Setup {
  config: Config;
  installation: Installation;
  /** Where people reach this program. */
  publicUrl: string;
  sms: SmsLanes;
  /** Learns how to undo each step; the last step is undone first. */
  ending: AsyncDisposableStack;
}

/** For how long work that is under way may go on when the program is told to stop. */
export const DRAIN_MS = 10_000;
