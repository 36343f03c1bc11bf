import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../outcome.ts';
import { isTest } from '../sources.ts';
import { findCycle } from './find-cycle.ts';
import { floorOf, roomIn, WINGS } from './house.ts';
import { type Import, readImports } from './imports.ts';

interface Rule {
  name: string;
  /** What to do instead. */
  advice: string;
  breaks: (use: Import) => boolean;
}

/** Folders of web/ground/, from the lowest up: each imports only those before it. They are open to all of web/. */
const WEB_GROUND = ['legal', 'i18n', 'api', 'ui', 'message-status'];
/** The texts that the browser is sent: web/ takes the names of their labels from here, as types. */
const PAGE_TEXTS = 'server/ground/translations/texts/pages.json';
/** Packages that only these folders may use, so that they can be replaced there. */
const HOMES: Record<string, string[]> = {
  pg: ['server/ground/postgres/', 'server/ground/embedded-postgres/', 'server/providers/postgres-reader/'],
  stripe: ['server/providers/stripe/'],
  undici: ['server/ground/http-client/'],
  mysql2: ['server/providers/mysql-reader/'],
  serialport: ['agent/serial/'],
};

/** What is never shipped: tests, and what a room or a provider keeps in testing/ for tests elsewhere. */
const isForTests = (path: string): boolean => isTest(path) || path.includes('/testing/');
const isShipped = (path: string): boolean => /^(contract|server|agent|web)\//.test(path) && !isForTests(path);
const isOutside = (path: string): boolean => /^(test|bench)\//.test(path);
/** A room, another folder of server/ or a provider is entered here; its testing/ only by what is not shipped. */
const DOOR = new RegExp(`^server/(?:(?:${WINGS.join('|')}|providers|start)/)?[^/]+/(?:index\\.ts$|testing/)`);
/** What one other room alone uses of a part stands at the part's own door. */
const PART_DOOR = new RegExp(`^server/(?:${WINGS.join('|')})/[^/]+/(?!testing/)[^/]+/index\\.ts$`);

const roomOf = (path: string): string | undefined => roomIn('server', path);
const webGroundOf = (path: string): string | undefined =>
  path.startsWith('web/ground/') ? roomIn('web', path) : undefined;
const webRoomOf = (path: string): string | undefined =>
  path.startsWith('web/ground/') ? undefined : roomIn('web', path);
/** In a folder of server/ whose door may be asked for: not a file that lies directly in server/ or in a wing. */
const isBehindDoor = (path: string): boolean =>
  path.startsWith('server/') && path.split('/').length > (floorOf(path) === undefined ? 2 : 3);
const providerOf = (path: string): string | undefined => /^server\/providers\/[^/]+\//.exec(path)?.[0];
/** config.ts takes only their settings, so that a command does not load SDKs that it has no use for. */
const mayUseProvider = (from: string, to: string): boolean =>
  isForTests(from) ||
  isOutside(from) ||
  (from === 'server/config.ts'
    ? to === `${providerOf(to)}settings.ts`
    : /^server\/(start|commands)\//.test(from) && to === `${providerOf(to)}index.ts`);

/** A port is an interface, so its types are enough; anything else that is shared is in contract/. */
const staysWithPort = ({ from, to, kind, typeOnly }: Import): boolean =>
  kind !== 'file' ||
  to.startsWith(providerOf(from) ?? from) ||
  to === 'server/ground/settings/index.ts' ||
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
    breaks: ({ from, to, typeOnly }) =>
      (from.startsWith('web/') && to.startsWith('server/') && !(typeOnly && to === PAGE_TEXTS)) ||
      (from.startsWith('server/') && to.startsWith('web/')),
  },
  {
    name: 'agent-apart',
    advice:
      'the agent is shipped alone: it imports only itself and contract/, and nothing that is shipped imports it',
    breaks: ({ from, to, kind }) =>
      kind === 'file' &&
      !isForTests(from) &&
      (from.startsWith('agent/')
        ? !/^(agent|contract)\/|^package\.json$/.test(to)
        : isShipped(from) && to.startsWith('agent/')),
  },
  {
    name: 'room-door',
    advice: 'a room is reached through its index.ts, or that of a part of it',
    breaks: ({ from, to, typeOnly }) => {
      const room = roomOf(to);
      return (
        room !== undefined &&
        from.startsWith('server/') &&
        roomOf(from) !== room &&
        (providerOf(from) === undefined || !typeOnly) &&
        !to.endsWith(`/${room}/index.ts`) &&
        !PART_DOOR.test(to) &&
        !(isForTests(from) && DOOR.test(to))
      );
    },
  },
  {
    name: 'floors-go-down',
    advice: `of the wings ${WINGS.join(', ')}, each imports only itself and those before it`,
    breaks: ({ from, to }) => {
      const [own, other] = [floorOf(from), floorOf(to)];
      return (
        /^(server|contract)\//.test(from) &&
        from.split('/')[0] === to.split('/')[0] &&
        !isForTests(from) &&
        own !== undefined &&
        other !== undefined &&
        other > own
      );
    },
  },
  {
    name: 'test-and-bench-door',
    advice:
      'test/ and bench/ enter a folder of server/ through its index.ts or its testing/, and never main.ts',
    breaks: ({ from, to }) =>
      isOutside(from) &&
      (to === 'server/main.ts' || (isBehindDoor(to) && !DOOR.test(to) && !PART_DOOR.test(to))),
  },
  {
    name: 'shipped-code-apart',
    advice: 'what is shipped imports nothing of test/, bench/, checks/ and testing/',
    breaks: ({ from, to }) =>
      isShipped(from) && (/^(test|bench|checks)\//.test(to) || to.includes('/testing/')),
  },
  {
    name: 'bench-above-test',
    advice: 'bench/ uses what tests share in test/; only a test that runs the benchmarks imports bench/',
    breaks: ({ from, to }) =>
      to.startsWith('bench/') &&
      !from.startsWith('bench/') &&
      !isShipped(from) &&
      !(from.startsWith('test/') && isTest(from)),
  },
  {
    name: 'checks-apart',
    advice: 'checks/ reads the other folders as files, so that a fault there can not stop it',
    breaks: ({ from, to, kind }) =>
      from.startsWith('checks/') && kind === 'file' && !to.startsWith('checks/'),
  },
  {
    name: 'rooms-below-http-and-providers',
    advice: 'a room imports neither http/, providers/, start/, config.ts nor main.ts: they are handed to it',
    breaks: ({ from, to }) =>
      roomOf(from) !== undefined &&
      !isForTests(from) &&
      /^server\/((http|providers|start)\/|(config|main)\.ts$)/.test(to),
  },
  {
    name: 'provider-imports-port',
    advice: 'a provider imports its SDK, the types of its port and of contract/, and server/ground/settings/',
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
      const other = webRoomOf(to) ?? (to.startsWith('web/pages/') ? 'pages' : undefined);
      return other !== undefined && (webGroundOf(from) ?? room) !== undefined && other !== room;
    },
  },
  {
    name: 'admin-pages-apart',
    advice: "customers must not load an admin's page: only import() may fetch it",
    breaks: ({ from, to, typeOnly, dynamic }) =>
      to.startsWith('web/pages/admin/') && !from.startsWith('web/pages/admin/') && !typeOnly && !dynamic,
  },
  {
    name: 'web-ground-in-layers',
    advice: `of web/ground/, ${WEB_GROUND.join(', ')}, a folder imports only those before it`,
    breaks: ({ from, to }) => {
      const [own, other] = [from, to].map((path) => WEB_GROUND.indexOf(webGroundOf(path) ?? ''));
      return own !== undefined && other !== undefined && own >= 0 && other > own;
    },
  },
  {
    name: 'package-at-home',
    advice: 'this package is used in one folder only, behind what that folder exports',
    breaks: ({ from, to, kind }) =>
      kind === 'package' &&
      HOMES[to] !== undefined &&
      !HOMES[to].some((home) => from.startsWith(home)) &&
      !isOutside(from),
  },
  {
    name: 'import-is-literal',
    advice: 'an import that is computed escapes these rules',
    // bench/ and checks/ load what they are told to by its name.
    breaks: ({ kind, from }) => kind === 'computed' && (isShipped(from) || from.startsWith('test/')),
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

/** Pages would load Zod with any of these: what runs in the browser imports only their types. */
const schemasInWeb = (imports: Import[]): string[] => {
  const running = imports.filter(({ typeOnly }) => !typeOnly);
  const loading = new Set(['zod']);
  for (let size = 0; size < loading.size; ) {
    size = loading.size;
    for (const { from, to } of running)
      if (from.startsWith('contract/') && loading.has(to)) loading.add(from);
  }
  return running
    .filter(({ from, to }) => from.startsWith('web/') && !isForTests(from) && loading.has(to))
    .map(
      ({ from, line, to }) =>
        `${from}:${line} imports ${to}: web-without-zod: import a file of contract/ that loads no Zod, or only types`,
    );
};

const roomCycles = (imports: Import[]): string[] => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [roomOf(from), roomOf(to)];
    if (a && b && a !== b && !isForTests(from)) edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  const cycle = findCycle(edges);
  return cycle ? [`server/: rooms-without-cycles: ${cycle.join(' -> ')}`] : [];
};

const sharedPartDoors = (imports: Import[]): string[] => {
  const users = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [room, other] = [roomOf(from) ?? from, roomOf(to)];
    if (isShipped(from) && PART_DOOR.test(to) && room !== other)
      users.set(to, (users.get(to) ?? new Set()).add(room));
  }
  return [...users].flatMap(([door, { size }]) =>
    size > 1 ? [`${door}: part-door-for-one-room: what several use belongs to the room's own door`] : [],
  );
};

const fileCycles = (imports: Import[]): string[] => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to, kind } of imports)
    if (kind === 'file' && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  const cycle = findCycle(edges);
  return cycle ? [`${cycle[0]}: files-without-cycles: ${cycle.join(' -> ')}`] : [];
};

/** Who may import whom. Type-only imports count too. */
export const checkImports: Check = async (root) => {
  const imports = readImports(root, ['contract', 'server', 'agent', 'web', 'test', 'bench', 'checks']);
  const broken = imports.flatMap((use) =>
    RULES.filter((rule) => rule.breaks(use)).map(
      ({ name, advice }) =>
        `${use.from}:${use.line} imports ${use.to || 'a computed name'}: ${name}: ${advice}`,
    ),
  );
  return {
    note: `${imports.length} imports`,
    faults: [
      ...broken,
      ...undeclaredPackages(root, imports),
      ...schemasInWeb(imports),
      ...roomCycles(imports),
      ...sharedPartDoors(imports),
      ...fileCycles(imports),
    ],
  };
};
