import { callsOf, lastOf, listTexts, type Node, walk } from './parse-tree.ts';

/** What the database's catalog says about the columns that are marked secret, and about what could read them unseen. */
export interface PostgresSecrets {
  /** `table OID.column number`, as the description of an answer has them; relatives by inheritance too. */
  places: Set<string>;
  columns: Set<string>;
  /** By table: all its columns. */
  tables: Map<string, Set<string>>;
  /** Of others than the database itself, in a language that runs SQL: what they read can't be seen in a statement. */
  functions: Set<string>;
  operators: Set<string>;
  domains: Set<string>;
}

/** They read whole tables that are named in a text, or values that the statistics have. */
const READING_FUNCTIONS = /^(table|schema|database)_to_xml/;
const STATISTICS = /^pg_stat(s|istic)/;

/** The statement uses a secret in a way that can't be traced to the answer. `what` names it. */
export class Untraceable extends Error {
  readonly what: string;
  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

interface Ranges {
  /** All that a row can be taken of as a whole: tables, subqueries, joins and CTEs by their names. */
  names: Set<string>;
  /** By the name that the statement uses: the columns of a table with secrets. */
  secret: Map<string, Set<string>>;
}

const rangesOf = (select: Node, { tables }: PostgresSecrets): Ranges => {
  const names = new Set<string>();
  const secret = new Map<string, Set<string>>();
  walk(select, (kind, node) => {
    if (kind === 'RangeVar') {
      const table = String(node.relname);
      const name = String((node.alias as Node | undefined)?.aliasname ?? table);
      names.add(table).add(name);
      const columns = tables.get(table);
      if (columns) secret.set(name, columns).set(table, columns);
    }
    if (kind === 'alias' || kind === 'join_using_alias') names.add(String(node.aliasname));
    if (kind === 'CommonTableExpr') names.add(String(node.ctename));
  });
  return { names, secret };
};

/** Whatever tables are named: these could read a secret without naming it. */
const refuseHiddenReaders = (select: Node, { functions, operators, domains }: PostgresSecrets): void =>
  walk(select, (kind, node) => {
    const hidden = callsOf(kind, node).find((name) => functions.has(name) || READING_FUNCTIONS.test(name));
    if (hidden) throw new Untraceable(hidden);
    const operator = lastOf(node[{ A_Expr: 'name', SubLink: 'operName', SortBy: 'useOp' }[kind] ?? '']);
    if (operators.has(operator)) throw new Untraceable(operator);
    if (/^typeName$|^TypeName$/.test(kind) && domains.has(lastOf(node.names)))
      throw new Untraceable(lastOf(node.names));
    if (kind === 'RangeVar' && STATISTICS.test(String(node.relname)))
      throw new Untraceable(String(node.relname));
  });

const columnOf = (target: unknown): { reference: Node; name: string | undefined } | undefined => {
  const result = (target as { ResTarget?: Node }).ResTarget;
  const reference = (result?.val as { ColumnRef?: Node } | undefined)?.ColumnRef;
  return reference && { reference, name: result?.name as string | undefined };
};

const isStar = ({ fields }: Node): boolean => (fields as Node[] | undefined)?.at(-1)?.A_Star !== undefined;

/** By place or by name, an order or a group of a secret tells which are equal or larger. */
const refuseOrders = (select: Node, aliases: Set<string>): void => {
  if (select.distinctClause !== undefined) throw new Untraceable('DISTINCT');
  for (const clause of ['sortClause', 'groupClause'] as const)
    walk({ clause: select[clause] }, (kind, node) => {
      if (kind === 'A_Const' && node.ival !== undefined) throw new Untraceable('ORDER BY, GROUP BY');
      if (kind === 'ColumnRef' && aliases.has(lastOf(node.fields)))
        throw new Untraceable(lastOf(node.fields));
    });
};

/**
 * A secret may be named only as a column of the outermost select, alone or by `*`: there the answer's own description
 * says where each column comes from, and it is masked. Everything else throws.
 */
export const refuseUntraceable = (select: Node, secrets: PostgresSecrets): void => {
  refuseHiddenReaders(select, secrets);
  const { names, secret } = rangesOf(select, secrets);
  if (secret.size === 0) return;

  const isPlain = select.op === undefined || select.op === 'SETOP_NONE';
  const outputs = isPlain
    ? ((select.targetList as unknown[] | undefined) ?? []).flatMap((one) => columnOf(one) ?? [])
    : [];
  const shown = outputs.filter(
    ({ reference }) => isStar(reference) || secrets.columns.has(lastOf(reference.fields)),
  );
  const direct = new Set(shown.map(({ reference }) => reference));
  if (shown.length > 0) refuseOrders(select, new Set(shown.flatMap(({ name }) => name ?? [])));

  walk(select, (kind, node) => {
    if (kind === 'JoinExpr' && node.isNatural) throw new Untraceable('NATURAL JOIN');
    if (kind === 'usingClause')
      for (const name of listTexts(node)) if (secrets.columns.has(name)) throw new Untraceable(name);
    if ((kind === 'RangeVar' || kind === 'JoinExpr') && (node.alias as Node | undefined)?.colnames)
      throw new Untraceable(String((node.alias as Node).aliasname));
    if (kind !== 'ColumnRef') return;
    if (isStar(node)) {
      if (!direct.has(node)) throw new Untraceable('*');
      return;
    }
    const [name = '', table = ''] = listTexts(node.fields).reverse();
    // A row as a whole; and p.to_json is the function of the row p where p has no such column.
    if (names.has(name) || secret.get(table)?.has(name) === false) throw new Untraceable(name);
    if (secrets.columns.has(name) && !direct.has(node)) throw new Untraceable(name);
  });
};
