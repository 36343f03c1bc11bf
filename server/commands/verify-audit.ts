import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { StartFault, say, sayFault } from '../ground/terminal/index.ts';
import { verifyChain } from '../office/audit/index.ts';
import { openInstallation } from '../start/installation.ts';

const readHead = (given: string) => {
  const [, id, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(given) ?? [];
  if (!id || !hash) throw new StartFault('Say a head as it was printed: npm run verify-audit -- [ID:HASH].');
  return { id: BigInt(id), hash };
};

const run = async (): Promise<void> => {
  const { positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [known] = positionals;
  const head = known === undefined ? undefined : readHead(known);
  const { database, close } = await openInstallation(readConfig(), { say, beside: true });
  try {
    const verified = await verifyChain(database.db, head);
    if (verified.fault)
      throw new StartFault(`Entry ${verified.fault.id} of the audit log is ${verified.fault.why}.`);
    say(`the audit log is whole: ${verified.entries} entries, head ${verified.head}`);
  } finally {
    await close();
  }
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
