/** The wings of server/, web/ and contract/, from the lowest floor up: each imports only itself and those before it. */
export const WINGS = ['ground', 'customer', 'traffic', 'fleet', 'office'] as const;

/** The floor of a file's wing, the lowest being 0; undefined for what is in none. */
export const floorOf = (path: string): number | undefined => {
  const floor = (WINGS as readonly string[]).indexOf(path.split('/')[1] ?? '');
  return floor < 0 ? undefined : floor;
};

/**
 * The room of a file: the folder in a wing. Undefined for what belongs to no room: files directly in a wing, and all that
 * is in none.
 */
export const roomIn = (top: 'server' | 'web', path: string): string | undefined => {
  const [first, , room, ...rest] = path.split('/');
  return first === top && floorOf(path) !== undefined && rest.length > 0 ? room : undefined;
};
