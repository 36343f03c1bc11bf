import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Import, readImports } from './imports.ts';
import type { Check } from './outcome.ts';
import { isTest } from './sources.ts';

interface Rule {
  name: string;
  /** What to do instead. */
  advice: string;
  breaks: (use: Import) => boolean;
}

/** Folders of server/ that are not rooms: they compose the rooms or implement their ports. */
const ABOVE_ROOMS = ['http', 'providers', 'commands', 'start'];
/** Folders of web/ that are not rooms. */
const WEB_GROUND = ['ui', 'api', 'i18n', 'legal', 'outbox'];
/** Packages that only one folder may use, so that they can be replaced there. */
const HOMES: Record<string, string> = { pg: 'server/postgres/', stripe: 'server/providers/stripe/' };

const folderIn = (top: 'server' | 'web', path: string): string | undefined => {
  const [first, folder, ...rest] = path.split('/');
  return first === top && rest.length > 0 ? folder : undefined;
};
const roomOf = (path: string): string | undefined => {
  const folder = folderIn('server', path);
  return folder && !ABOVE_ROOMS.includes(folder) ? folder : undefined;
};
const webRoomOf = (path: string): string | undefined => {
  const folder = folderIn('web', path);
  return folder && folder !== 'pages' && !WEB_GROUND.includes(folder) ? folder : undefined;
};
const providerOf = (path: string): string | undefined => /^server\/providers\/[^/]+\//.exec(path)?.[0];
/** config.ts takes only their settings, so that a command does not load SDKs that it has no use for. */
const mayUseProvider = (from: string, to: string): boolean =>
  isTest(from) ||
  (from === 'server/config.ts'
    ? to === `${providerOf(to)}settings.ts`
    : /^server\/(start|commands)\//.test(from) && to === `${providerOf(to)}index.ts`);

/** A port is an interface, so its types are enough; anything else that is shared is in contract/. */
const staysWithPort = ({ from, to, kind, typeOnly }: Import): boolean =>
  kind !== 'file' ||
  to.startsWith(providerOf(from) ?? from) ||
  to === 'server/settings/index.ts' ||
  (typeOnly && (roomOf(to) !== undefined || to.startsWith('contract/')));

const RULES: Rule[] = [
  {
    name: 'contract-imports-only-zod',
    advice: 'contract/ imports itself and zod, nothing else',
    breaks: ({ from, to, kind }) =>
      from.startsWith('contract/') &&
      !isTest(from) &&
      !(kind === 'package' && to === 'zod') &&
      !(kind === 'file' && to.startsWith('contract/')),
  },
  {
    name: 'web-and-server-meet-in-contract',
    advice: 'what both need belongs in contract/',
    breaks: ({ from, to }) =>
      (from.startsWith('web/') && to.startsWith('server/')) ||
      (from.startsWith('server/') && to.startsWith('web/')),
  },
  {
    name: 'room-door',
    advice: 'a room is reached through its index.ts',
    breaks: ({ from, to }) => {
      const room = roomOf(to);
      return (
        room !== undefined &&
        from.startsWith('server/') &&
        folderIn('server', from) !== room &&
        providerOf(from) === undefined &&
        to !== `server/${room}/index.ts`
      );
    },
  },
  {
    name: 'rooms-below-http-and-providers',
    advice: 'a room imports neither http/, providers/, start/, config.ts nor main.ts: they are handed to it',
    breaks: ({ from, to }) =>
      roomOf(from) !== undefined &&
      !isTest(from) &&
      /^server\/((http|providers|start)\/|(config|main)\.ts$)/.test(to),
  },
  {
    name: 'provider-imports-port',
    advice: 'a provider imports its SDK, the types of its port and of contract/, and server/settings/',
    breaks: (use) => providerOf(use.from) !== undefined && !isTest(use.from) && !staysWithPort(use),
  },
  {
    name: 'only-start-imports-providers',
    advice:
      'providers are chosen in server/start/ by their index.ts; server/config.ts takes their settings.ts',
    breaks: ({ from, to }) =>
      to.startsWith('server/providers/') &&
      !from.startsWith('server/providers/') &&
      !mayUseProvider(from, to),
  },
  {
    name: 'web-rooms-apart',
    advice: 'pages compose the rooms of web/; a room imports only ui/, api/, i18n/ and itself',
    breaks: ({ from, to }) => {
      const room = webRoomOf(from);
      const ground = WEB_GROUND.includes(folderIn('web', from) ?? '');
      const other = webRoomOf(to) ?? (to.startsWith('web/pages/') ? 'pages' : undefined);
      return other !== undefined && (ground || room !== undefined) && other !== room;
    },
  },
  {
    name: 'admin-pages-apart',
    advice: "customers must not load an admin's page: only import() may fetch it",
    breaks: ({ from, to, typeOnly, dynamic }) =>
      to.startsWith('web/pages/admin/') && !from.startsWith('web/pages/admin/') && !typeOnly && !dynamic,
  },
  {
    name: 'package-at-home',
    advice: 'this package is used in one folder only, behind what that folder exports',
    breaks: ({ from, to, kind }) =>
      kind === 'package' && HOMES[to] !== undefined && !from.startsWith(HOMES[to]),
  },
  {
    name: 'import-is-literal',
    advice: 'an import that is computed escapes these rules',
    breaks: ({ kind, from }) => kind === 'computed' && !isTest(from),
  },
];

const undeclaredPackages = (root: string, imports: Import[]): string[] => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const declared = { ...dependencies, ...devDependencies, ...optionalDependencies };
  return imports
    .filter(({ kind, to }) => kind === 'package' && !(to in declared) && !(`@types/${to}` in declared))
    .map(
      ({ from, line, to }) =>
        `${from}:${line} imports ${to}: declared-package: add it to package.json, or it comes by accident`,
    );
};

/** A cycle of rooms as a path that ends where it began. */
const findCycle = (edges: Map<string, Set<string>>): string[] | undefined => {
  const done = new Set<string>();
  const walk = (room: string, path: string[]): string[] | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of edges.get(room) ?? []) {
      const cycle = walk(next, [...path, room]);
      if (cycle) return cycle;
    }
    done.add(room);
    return undefined;
  };
  for (const room of edges.keys()) {
    const cycle = walk(room, []);
    if (cycle) return cycle;
  }
  return undefined;
};

const roomCycles = (imports: Import[]): string[] => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [roomOf(from), roomOf(to)];
    if (a && b && a !== b && !isTest(from)) edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  const cycle = findCycle(edges);
  return cycle ? [`server/: rooms-without-cycles: ${cycle.join(' -> ')}`] : [];
};

/** Who may import whom. Type-only imports count too. */
export const checkImports: Check = async (root) => {
  const imports = readImports(root, ['contract', 'server', 'web']);
  const broken = imports.flatMap((use) =>
    RULES.filter((rule) => rule.breaks(use)).map(
      ({ name, advice }) =>
        `${use.from}:${use.line} imports ${use.to || 'a computed name'}: ${name}: ${advice}`,
    ),
  );
  return {
    note: `${imports.length} imports`,
    faults: [...broken, ...undeclaredPackages(root, imports), ...roomCycles(imports)],
  };
};
