import { readConfig } from '../config.ts';
import { checkServer } from '../ground/postgres/index.ts';
import { sayFault } from '../ground/terminal/index.ts';
import { readSmsLanes } from '../start/lanes.ts';
import { factsOf } from '../start/safety.ts';
import type { Finding } from '../start/safety-check.ts';
import { examine, SAFETY_CHECKS } from '../start/safety-checks.ts';

const WORDS = { refuse: 'REFUSED', unsafe: 'UNSAFE', advice: 'advice' } as const;
const WIDTH = 8;

const linesOf = (title: string, findings: Finding[]): string[] =>
  findings.length === 0
    ? [`${'ok'.padEnd(WIDTH)}${title}`]
    : findings.map(
        ({ level, sentence, remedy }) =>
          `${WORDS[level].padEnd(WIDTH)}${title}: ${sentence}\n${' '.repeat(WIDTH)}${remedy}`,
      );

/** Tells what is unsafe in these settings, without starting or changing anything; fails if something is. */
const run = async (): Promise<void> => {
  const config = readConfig();
  const clockAheadMs = config.DATABASE_URL
    ? (await checkServer(config.DATABASE_URL)).clockAheadMs
    : undefined;
  const facts = factsOf(config, { sms: readSmsLanes(config), clockAheadMs });
  const findings = examine(facts);
  for (const { title } of SAFETY_CHECKS)
    for (const line of linesOf(
      title,
      findings.filter((one) => one.title === title),
    ))
      process.stdout.write(`${line}\n`);
  const faults = findings.filter(({ level }) => level !== 'advice').length;
  const purpose = facts.isProduction
    ? ''
    : ' These settings are for trying out on this machine: no public address, no real way out.';
  process.stdout.write(
    `\n${faults === 0 ? 'Nothing unsafe was found.' : `Unsafe: ${faults}.`}${purpose} README.md, Going to production, explains each item.\n`,
  );
  if (faults > 0) process.exitCode = 1;
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
