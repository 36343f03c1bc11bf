import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../../ground/postgres/index.ts';
import { demoZones, makeDemoZones } from '../index.ts';

/** The demo's zones on the server of the tests, with a table of 5000 numbers. */
export const makeTestZones = async ({
  db,
  url,
}: Pick<ReturnType<typeof openDatabase>, 'db'> & { url: string }) => {
  const place = { url, mark: `_${randomBytes(5).toString('hex')}` };
  await makeDemoZones(db, place);
  const zones = demoZones(place);
  const [hk] = zones;
  if (!hk) throw new Error('there is no zone');
  const inside = new URL(url);
  inside.pathname = `/${hk.databases[0]}`;
  const owner = openDatabase({ url: inside.href, max: 2, onError: () => {} });
  await owner.pool.query(`
    create table masked.numbers (n int primary key, label text not null);
    insert into masked.numbers select n, 'label ' || n % 7 from generate_series(1, 5000) as n;
    analyze masked.numbers;
    grant select on masked.numbers to ${hk.user}`);
  return {
    zones,
    hk,
    database: hk.databases[0] ?? '',
    /** The owner of the zone's database, who may do everything. */
    owner,
    close: async () => {
      await owner.close();
      const server = openDatabase({ url, max: 1, onError: () => {} });
      for (const { databases } of zones)
        for (const name of databases) await server.pool.query(`drop database ${name} with (force)`);
      await server.pool.query(`drop role ${hk.user}`);
      await server.close();
    },
  };
};
