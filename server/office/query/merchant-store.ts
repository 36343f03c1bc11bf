import type { MerchantFound } from '../../../contract/office/query.ts';
import type { Reader, ReadOutcome, ReadRequest } from './reader.ts';

/** So many merchants at most: whoever finds more has to say more. */
const MOST_FOUND = 20;
/** The statements of a lookup that run at one moment: one for each table. */
export const MOST_CONNECTIONS = 4;
/** Rows of one table for all of them. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 2_000_000;

type Fault = Exclude<ReadOutcome, { kind: 'done' }>;
type Row = Record<string, string | null>;
type Asked = Pick<ReadRequest, 'database' | 'timeoutMs' | 'signal' | 'onBackend'>;

class Failed extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.kind);
    this.fault = fault;
  }
}

/** A statement whose values travel apart from it, whatever is in them. */
const lookup = async (
  reader: Reader,
  asked: Asked,
  write: (value: (of: string) => string) => string,
): Promise<Row[]> => {
  const values: string[] = [];
  const sql = write((of) => reader.placeholder(values.push(of)));
  const outcome = await reader.read({ ...asked, sql, values, mostRows: MOST_ROWS, mostBytes: MOST_BYTES });
  if (outcome.kind !== 'done') throw new Failed(outcome);
  const { columns, rows } = outcome;
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
};

/** The signs that LIKE gives a meaning stand for themselves. */
const containing = (term: string): string => `%${term.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

const findIds = (reader: Reader, asked: Asked, term: string): Promise<Row[]> => {
  const pattern = containing(term);
  return lookup(reader, asked, (value) => {
    const like = (...names: string[]) =>
      names.map((name) => `lower(${name}) like ${value(pattern)}`).join(' or ');
    return `select m.id from merchant m
      where m.id = ${value(term)} or ${like('m.name', 'm.legal_name')}
        or exists (select 1 from profile p where p.merchant_id = m.id
          and (${like('p.contact_name', 'p.email', 'p.phone')}))
        or exists (select 1 from app a where a.merchant_id = m.id
          and (a.id = ${value(term)} or ${like('a.name', 'a.bundle_id')}))
      order by case when m.id = ${value(term)} then 0 else 1 end, m.name limit ${MOST_FOUND}`;
  });
};

/** What belongs to each of the merchants, by generated lookups over the tables merchant, profile, relation and app. */
export const findMerchants = async (
  reader: Reader,
  { term, ...asked }: Asked & { term: string },
): Promise<MerchantFound[] | Fault> => {
  try {
    const ids = (await findIds(reader, asked, term)).flatMap(({ id }) => id ?? []);
    if (ids.length === 0) return [];
    const among = (value: (of: string) => string) => ids.map(value).join(', ');
    const [merchants, profiles, relations, apps] = await Promise.all([
      lookup(reader, asked, (value) => `select * from merchant where id in (${among(value)}) order by name`),
      lookup(
        reader,
        asked,
        (value) => `select * from profile where merchant_id in (${among(value)}) order by contact_name`,
      ),
      lookup(
        reader,
        asked,
        (value) => `select r.*, o.name as merchant_name, m.name as related_name from relation r
          join merchant o on o.id = r.merchant_id join merchant m on m.id = r.related_id
          where r.merchant_id in (${among(value)}) or r.related_id in (${among(value)})
          order by r.kind, m.name`,
      ),
      lookup(
        reader,
        asked,
        (value) => `select * from app where merchant_id in (${among(value)}) order by name`,
      ),
    ]);
    return merchants.map((merchant) => ({
      merchant,
      profiles: profiles.filter(({ merchant_id }) => merchant_id === merchant.id),
      relations: relations.filter(({ merchant_id, related_id }) =>
        [merchant_id, related_id].includes(merchant.id ?? ''),
      ),
      apps: apps.filter(({ merchant_id }) => merchant_id === merchant.id),
    }));
  } catch (error) {
    if (error instanceof Failed) return error.fault;
    throw error;
  }
};
