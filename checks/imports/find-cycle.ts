/** A cycle as a path that ends where it began. */
export const findCycle = (edges: Map<string, Set<string>>): string[] | undefined => {
  const done = new Set<string>();
  const walk = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of edges.get(node) ?? []) {
      const cycle = walk(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = walk(node, []);
    if (cycle) return cycle;
  }
  return undefined;
};
