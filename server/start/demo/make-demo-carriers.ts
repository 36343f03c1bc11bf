import type { Db } from '../../ground/postgres/index.ts';
import { readPrefixes, replacePrefixes } from '../../traffic/carriers/index.ts';

/** Made up, so that the demo's messages are in several networks: an operator enters what the regulator says. */
const PREFIXES = [
  ['+8525', 'csl'],
  ['+8526', 'three'],
  ['+8526111010', 'csl'],
  ['+8526111012', 'smartone'],
  ['+8526111013', 'cmhk'],
  ['+8526111014', 'csl'],
  ['+8526111015', 'smartone'],
  ['+8527', 'cmhk'],
  ['+8529', 'smartone'],
] as const;

/** Unless the table has something. */
export const makeDemoCarriers = async (db: Db): Promise<void> => {
  if ((await readPrefixes(db)).length > 0) return;
  await replacePrefixes(
    db,
    PREFIXES.map(([prefix, carrierName]) => ({ prefix, carrierName })),
  );
};
