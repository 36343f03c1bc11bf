import { lastOf, type Node, walk } from './parse-tree.ts';

/** Of a text or of an array that one call makes. */
const MOST_MADE = 1_000_000;
/** Of the rows that one call makes, whatever is done with them. */
const MOST_ROWS = 10_000_000;

/** A call that makes more than one should. */
interface Large {
  /** With the size. */
  what: string;
  bytes: number | undefined;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const fieldOf = (node: unknown, kind: string): Node | undefined => {
  const field = isNode(node) ? node[kind] : undefined;
  return isNode(field) ? field : undefined;
};

/** The number that is written there, perhaps with a sign or a cast. */
const numberOf = (node: unknown): number | undefined => {
  const cast = fieldOf(node, 'TypeCast');
  if (cast) return numberOf(cast.arg);
  const expression = fieldOf(node, 'A_Expr');
  if (expression && expression.lexpr === undefined && lastOf(expression.name) === '-') {
    const number = numberOf(expression.rexpr);
    return number === undefined ? undefined : -number;
  }
  const constant = fieldOf(node, 'A_Const');
  if (!constant) return undefined;
  const { ival, fval, sval } = constant as Record<string, Node | undefined>;
  // What is 0 has no field of its own in the tree.
  if (ival) return Number(ival.ival ?? 0);
  const text = fval?.fval ?? sval?.sval;
  const number = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
};

const textLengthOf = (node: unknown): number => {
  const cast = fieldOf(node, 'TypeCast');
  if (cast) return textLengthOf(cast.arg);
  const constant = fieldOf(node, 'A_Const') as { sval?: { sval?: string } } | undefined;
  return constant ? (constant.sval?.sval?.length ?? 1) : 1;
};

const argumentsOf = (call: Node): unknown[] => (call.args as unknown[] | undefined) ?? [];
const nameOf = (call: Node): string => lastOf(call.funcname).toLowerCase();

/** How long the text is that a call makes, as far as it is written: at least so long, if a text has a character. */
const lengthOf = (node: unknown): number => {
  const call = fieldOf(node, 'FuncCall');
  if (!call) return textLengthOf(node);
  const [first, second] = argumentsOf(call);
  if (nameOf(call) === 'repeat') return lengthOf(first) * Math.max(0, numberOf(second) ?? 1);
  if (/^[lr]pad$/.test(nameOf(call))) return Math.max(1, numberOf(second) ?? 1);
  return 1;
};

/** Of `array[a, b]` or `'{a,b}'`: their product. */
const productOf = (node: unknown): number => {
  const elements = fieldOf(node, 'A_ArrayExpr')?.elements as unknown[] | undefined;
  return (elements ?? []).reduce<number>((product, one) => product * Math.max(1, numberOf(one) ?? 1), 1);
};

const seriesOf = ([from, to, step]: unknown[]): number => {
  const [begin, end, by = 1] = [numberOf(from), numberOf(to), numberOf(step)];
  return begin === undefined || end === undefined || by === 0 ? 1 : Math.floor((end - begin) / by) + 1;
};

/** The widths that a format asks for: `%1000000s`. */
const widthOf = (node: unknown): number => {
  const text = (fieldOf(node, 'A_Const') as { sval?: { sval?: string } } | undefined)?.sval?.sval ?? '';
  return Math.max(0, ...Array.from(text.matchAll(/%-?(\d{1,12})(?!\d|\$)/g), ([, width]) => Number(width)));
};

const sizeOf = (call: Node): { size: number; most: number } => {
  const [first, second] = argumentsOf(call);
  const name = nameOf(call);
  if (/^(repeat|[lr]pad)$/.test(name)) return { size: lengthOf({ FuncCall: call }), most: MOST_MADE };
  if (name === 'array_fill') return { size: productOf(second), most: MOST_MADE };
  if (name === 'format') return { size: widthOf(first), most: MOST_MADE };
  if (name === 'generate_series') return { size: seriesOf(argumentsOf(call)), most: MOST_ROWS };
  return { size: 0, most: MOST_MADE };
};

/** Arrays and texts of all rows that a series makes are as large as the series. */
const AGGREGATES = /^(array_agg|string_agg|json_agg|jsonb_agg|xmlagg|json_object_agg|jsonb_object_agg)$/;

/**
 * The first call whose written arguments ask for more than a call should make. A help for who mistypes, and no defence:
 * a number that is computed is not seen.
 */
export const largeIn = (select: Node): Large | undefined => {
  let large: Large | undefined;
  let rows = 0;
  let aggregate: Node | undefined;
  const note = (call: Node, size: number, most: number): void => {
    if (size <= most || large) return;
    const what = `${nameOf(call)}, ${size.toLocaleString('en-US')} > ${most.toLocaleString('en-US')}`;
    large = { what, bytes: call.location as number | undefined };
  };
  walk(select, (kind, node) => {
    if (kind !== 'FuncCall') return;
    const { size, most } = sizeOf(node);
    note(node, size, most);
    if (nameOf(node) === 'generate_series') rows = Math.max(rows, size);
    if (AGGREGATES.test(nameOf(node))) aggregate = node;
  });
  if (aggregate) note(aggregate, rows, MOST_MADE);
  return large;
};
