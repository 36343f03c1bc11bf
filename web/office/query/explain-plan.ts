import type { QueryResult } from '../../../contract/office/query.ts';

/** A step of a plan as its database tells it. */
export interface PlanNode {
  name: string;
  rows: number | undefined;
  /** Of this step alone, in the database's own unit. */
  ownCost: number;
  totalCost: number | undefined;
  children: PlanNode[];
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

const sum = (nodes: PlanNode[]): number => nodes.reduce((total, node) => total + (node.totalCost ?? 0), 0);

const ofPostgres = (plan: Json): PlanNode => {
  const children = (Array.isArray(plan.Plans) ? plan.Plans : []).filter(isObject).map(ofPostgres);
  const totalCost = numberOf(plan['Total Cost']) ?? 0;
  const on = plan['Relation Name'] ?? plan['CTE Name'] ?? plan['Function Name'] ?? plan['Index Name'];
  return {
    name: `${String(plan['Node Type'])}${on ? ` ${String(on)}` : ''}`,
    rows: numberOf(plan['Actual Rows'] ?? plan['Plan Rows']),
    totalCost,
    ownCost: Math.max(0, totalCost - sum(children)),
    children,
  };
};

/** MySQL and MariaDB name their steps by keys, which differ between versions: each object below a key is a step. */
const ofMysql = (name: string, step: Json): PlanNode => {
  const children = Object.entries(step).flatMap(([key, value]) => {
    const steps = (Array.isArray(value) ? value : [value]).filter(isObject);
    return key === 'cost_info' ? [] : steps.flatMap((one) => unwrap(key, one));
  });
  const info = isObject(step.cost_info) ? step.cost_info : {};
  const rows = numberOf(step.rows ?? step.rows_examined_per_scan ?? step.r_rows);
  const told = numberOf(step.cost ?? info.read_cost ?? info.query_cost);
  // Where it tells no cost, the rows that it has to look at stand for it.
  const ownCost = Math.max(0, told === undefined ? (rows ?? 0) : told - sum(children));
  return {
    name: `${name.replaceAll('_', ' ')}${step.table_name ? ` ${String(step.table_name)}` : ''}${
      step.access_type ? ` (${String(step.access_type)})` : ''
    }`,
    rows,
    totalCost: told,
    ownCost,
    children,
  };
};

/** In a list of steps each one is wrapped in an object with one key: its name. */
const unwrap = (key: string, step: Json): PlanNode[] => {
  const [entry, ...others] = Object.entries(step);
  if (entry && others.length === 0 && isObject(entry[1])) return [ofMysql(entry[0], entry[1])];
  return [ofMysql(key, step)];
};

/** The plan in the answer to an explain in JSON; undefined if there is none. */
export const planOf = ({ rows }: Pick<QueryResult, 'rows'>): PlanNode | undefined => {
  try {
    const told: unknown = JSON.parse(rows.map(([line]) => line ?? '').join('\n'));
    if (Array.isArray(told)) {
      const plan = isObject(told[0]) ? told[0].Plan : undefined;
      return isObject(plan) ? ofPostgres(plan) : undefined;
    }
    return isObject(told) ? unwrap('query', told)[0] : undefined;
  } catch {
    return undefined;
  }
};

/** The step that costs most by itself. */
export const costliest = (plan: PlanNode): PlanNode =>
  plan.children.map(costliest).reduce((most, node) => (node.ownCost > most.ownCost ? node : most), plan);
