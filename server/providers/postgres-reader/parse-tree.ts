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

export const listTexts = (list: unknown): string[] =>
  ((list as { String?: { sval?: string } }[] | undefined) ?? []).map(({ String: text }) => text?.sval ?? '');
export const lastOf = (list: unknown): string => listTexts(list).at(-1) ?? '';

/** What may be a function here: `f(x)`; `(x).f`; and `x.f`, where x has no such column. */
export const callsOf = (kind: string, node: Node): string[] => {
  if (kind === 'FuncCall') return [lastOf(node.funcname)];
  if (kind === 'A_Indirection') return listTexts(node.indirection);
  if (kind === 'ColumnRef') return listTexts(node.fields).slice(1);
  return [];
};

/** The first place in bytes that the tree knows in this node; a lock of all that is read has none. */
export const placeOf = (node: Node): number | undefined => {
  let first: number | undefined;
  walk(node, (_, { location }) => {
    if (typeof location === 'number' && !(location >= (first ?? Number.POSITIVE_INFINITY))) first = location;
  });
  return first;
};

const SPACE = /(?:\s|--[^\n\r]*[\n\r])*/y;
const COMMENT_MARK = /\/\*|\*\//g;

/** How many bytes stand before the first word: the grammar counts space and comments to the statement. */
export const leadOf = (statement: Buffer): number => {
  const text = statement.toString('latin1');
  let at = 0;
  do {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    if (!text.startsWith('/*', at)) break;
    COMMENT_MARK.lastIndex = at;
    let depth = 0;
    // Comments stand inside each other here.
    do {
      const mark = COMMENT_MARK.exec(text)?.[0];
      depth += mark === '/*' ? 1 : -1;
    } while (depth > 0);
    at = COMMENT_MARK.lastIndex;
  } while (at > 0);
  return at;
};
