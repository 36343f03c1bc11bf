import type { Guard } from '../guards.ts';

/** `METHOD /path`, as the rooms' tables name their routes. */
export const splitName = (name: string): { method: string; path: string } => {
  const [method = '', path = ''] = name.split(' ');
  return { method, path };
};

/** Calls whose path begins with a channel are about messages. */
const tagOf = (path: string): string => {
  const [, first = ''] = path.split('/');
  return first.startsWith(':') ? 'messages' : first;
};

const SECURITY: Record<Guard, Record<string, string[]>[]> = {
  public: [],
  mailbox: [],
  signed: [],
  ticket: [],
  customer: [{ session: [] }],
  admin: [{ session: [] }],
  sender: [{ secret: [] }, { session: [] }],
};

/** What the API's document says of a route besides its schemas. */
export const describe = ({ guard, path, summary }: { guard: Guard; path: string; summary: string }) => ({
  summary,
  tags: [tagOf(path)],
  security: SECURITY[guard],
});
