import { calls, type Reply } from '../../../contract/calls.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { withoutGuard } from '../../../contract/ground/csv.ts';
import { microsFromDecimal } from '../../../contract/ground/money.ts';
import { type CsvRecord, columnName, readRecords } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { text } from '../../ground/translations/index.ts';
import { PRICE_COLUMNS } from './price-csv.ts';
import { setPriceIn, type WantedPrice } from './set-price.ts';
import { findRivals, lockPrices } from './store.ts';

type Imported = Reply<'POST /admin/prices/import'>;

async function* pieces(csv: string): AsyncGenerator<string> {
  yield csv.replace(/^\uFEFF/, '');
}

const delimiterOf = (csv: string) =>
  (/[,;\t]/.exec(csv.split(/[\r\n]/, 1)[0] ?? '')?.[0] ?? ',') as ',' | ';' | '\t';

const readAll = async (csv: string): Promise<CsvRecord[]> => {
  const records: CsvRecord[] = [];
  for await (const some of readRecords(pieces(csv), { delimiter: delimiterOf(csv), size: 1_000 }))
    records.push(...some);
  return records;
};

const dateOf = (moment: string | undefined): Date | undefined => (moment ? new Date(moment) : undefined);

/** A row as the call that sets one price would take it. */
const wantedOf = (cells: string[], places: number[]): WantedPrice => {
  const given = Object.fromEntries(
    PRICE_COLUMNS.flatMap((name, at) => {
      const cell = withoutGuard(cells[places[at] ?? -1] ?? '').trim();
      return cell === '' ? [] : [[name, cell]];
    }),
  );
  const { data, error } = calls['POST /admin/prices'].body.safeParse(given);
  const unitMicros = data && microsFromDecimal(data.unitPrice);
  if (!data || unitMicros === undefined)
    throw new DomainError('E_INVALID_REQUEST', { reason: error?.issues[0]?.path.join('.') ?? 'unitPrice' });
  const { channel, country, carrierName, range, validFrom, validUntil } = data;
  return {
    channel,
    country,
    carrier: carrierName,
    range,
    unitMicros,
    validFrom: dateOf(validFrom),
    validUntil: dateOf(validUntil),
  };
};

const keyOf = ({ channel, country, carrier, range, validFrom }: WantedPrice): string =>
  [channel, country, carrier, range, validFrom?.toISOString()].join('/');

/** Whether the price already has these values: importing an exported file again changes nothing. */
const isSo = async (trx: Db, wanted: WantedPrice): Promise<boolean> =>
  (await findRivals(trx, wanted)).some(
    ({ unitMicros, validFrom, validUntil }) =>
      unitMicros === wanted.unitMicros &&
      (validUntil?.getTime() ?? 0) === (wanted.validUntil?.getTime() ?? 0) &&
      (wanted.validFrom ? +validFrom === +wanted.validFrom : validFrom <= new Date()),
  );

/** Rolls back a transaction that was only a preview. */
class Undone extends Error {
  imported: Imported;
  constructor(imported: Imported) {
    super('undone');
    this.imported = imported;
  }
}

/** Each row sees what the rows before it did. What is only looked at, or refused in part, is undone. */
export const importPrices = async (
  { db }: { db: Db },
  { csv, preview, language }: { csv: string; preview: boolean; language: Language },
): Promise<Imported> => {
  const [head, ...records] = await readAll(csv);
  const names = head?.cells.map(columnName) ?? [];
  const places = PRICE_COLUMNS.map((name) => names.indexOf(columnName(name)));
  if (!names.includes(columnName('channel')) || !names.includes(columnName('unitPrice')))
    throw new DomainError('E_INVALID_REQUEST', { reason: PRICE_COLUMNS.join(', ') });
  const imported: Imported = { begins: [], ends: [], drops: [], unchanged: 0, refusals: [], done: false };
  const carryOut = async (trx: Db): Promise<Imported> => {
    await lockPrices(trx);
    const now = new Date();
    const seen = new Set<string>();
    for (const { row, cells } of records) {
      try {
        const wanted = wantedOf(cells, places);
        if (seen.has(keyOf(wanted))) throw new DomainError('E_INVALID_REQUEST', { reason: keyOf(wanted) });
        seen.add(keyOf(wanted));
        if (await isSo(trx, wanted)) imported.unchanged += 1;
        else {
          const { begins, ends, drops } = await setPriceIn(trx, wanted, { now, preview: false });
          if (begins) imported.begins.push(begins);
          imported.ends.push(...ends);
          imported.drops.push(...drops);
        }
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        imported.refusals.push({ row, message: text(language, `error.${error.code}`, error.params) });
      }
    }
    if (preview || imported.refusals.length > 0) throw new Undone(imported);
    return { ...imported, done: true };
  };
  try {
    return await db.transaction().execute(carryOut);
  } catch (error) {
    if (error instanceof Undone) return error.imported;
    throw error;
  }
};
