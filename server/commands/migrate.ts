import { readConfig } from '../config.ts';
import { say, sayFault } from '../ground/terminal/index.ts';
import { openInstallation } from '../start/installation.ts';

const run = async (): Promise<void> => {
  const installation = await openInstallation(readConfig(), { say, beside: true });
  await installation.close();
  say(
    installation.migrated.length > 0 ? `applied ${installation.migrated.join(', ')}` : 'nothing to migrate',
  );
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
