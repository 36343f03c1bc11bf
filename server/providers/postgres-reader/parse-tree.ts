/** A node of PostgreSQL's own parse tree: an object with one key, its kind, or the fields of such a kind. */
export type Node = { [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Calls back for each node with its kind. */
export const walk = (root: Node, visit: (kind: string, node: Node) => void): void => {
  const pending: [string, unknown][] = [['', root]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [kind, value] = next;
    if (!isNode(value)) continue;
    visit(kind, value);
    for (const [key, child] of Object.entries(value)) pending.push([key, child]);
  }
};

export const textsOf = (list: unknown): string[] =>
  ((list as { String?: { sval?: string } }[] | undefined) ?? []).map(({ String: text }) => text?.sval ?? '');
export const lastOf = (list: unknown): string => textsOf(list).at(-1) ?? '';

/** What may be a function here: `f(x)`; `(x).f`; and `x.f`, where x has no such column. */
export const callsOf = (kind: string, node: Node): string[] => {
  if (kind === 'FuncCall') return [lastOf(node.funcname)];
  if (kind === 'A_Indirection') return textsOf(node.indirection);
  if (kind === 'ColumnRef') return textsOf(node.fields).slice(1);
  return [];
};
