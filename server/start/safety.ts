import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Log } from '../ground/log/index.ts';
import { StartFault } from '../ground/terminal/index.ts';
import { isLocalUrl } from '../http/defence/request-origin.ts';
import { freeBytesOf } from './disk.ts';
import { lanesOf, type SmsLanes } from './lanes.ts';
import type { Finding, Probes, SafetyFacts } from './safety-check.ts';
import { examine } from './safety-checks.ts';
import { KEY_FILE } from './secret-key.ts';

const ifSeen = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/** Only reads; a data folder that is not there yet is no finding. */
const probe = ({ DATA_DIR: folder }: Config, clockAheadMs: number | undefined): Probes => ({
  dataDirMode: ifSeen(() => statSync(folder).mode & 0o777),
  keyFileMode: ifSeen(() => statSync(join(folder, KEY_FILE)).mode & 0o777),
  freeBytes: freeBytesOf(folder),
  clockAheadMs,
  isRoot: process.getuid?.() === 0,
});

interface Surroundings {
  sms: SmsLanes;
  clockAheadMs: number | undefined;
}

export const factsOf = (config: Config, { sms, clockAheadMs }: Surroundings): SafetyFacts => {
  const isPublic = config.PUBLIC_URL !== undefined && !isLocalUrl(config.PUBLIC_URL);
  // No lane is opened here, so any key does.
  const lanes = lanesOf(config, { sms, key: Buffer.alloc(32), publicUrl: config.PUBLIC_URL ?? '' });
  const realChannels = [
    ...new Set(lanes.filter(({ simulated }) => !simulated).map(({ channel }) => channel)),
  ];
  return {
    config,
    realChannels,
    probes: probe(config, clockAheadMs),
    isPublic,
    isProduction: isPublic || realChannels.length > 0,
  };
};

/** Refuses to start with what must not run, and warns of what is unsafe, in the log and at the terminal. */
export const enforceFindings = (
  findings: Finding[],
  { log, say }: { log: Pick<Log, 'warn'>; say: (line: string) => void },
): void => {
  for (const { level, title, sentence, remedy } of findings) {
    if (level === 'refuse') throw new StartFault(`${sentence} ${remedy}`);
    if (level !== 'unsafe') continue;
    log.warn({ check: title }, sentence);
    say(`unsafe: ${sentence} ${remedy}`);
  }
};

/** The checks of `npm run doctor`, made at the start. */
export const checkSafety = (
  config: Config,
  surroundings: Surroundings,
  outputs: { log: Pick<Log, 'warn'>; say: (line: string) => void },
): void => enforceFindings(examine(factsOf(config, surroundings)), outputs);
