import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkImports } from './import-rules.ts';
import { plantTree } from './planted-tree.ts';

test('a sound house passes', async () => {
  expect((await checkImports(plantTree())).faults).toEqual([]);
});

test('this house passes', async () => {
  expect((await checkImports(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

const planted: [rule: string, what: string, path: string, text: string][] = [
  ['contract-imports-only-zod', 'contract imports pg', 'contract/x.ts', "import type pg from 'pg';"],
  [
    'contract-imports-only-zod',
    'contract imports server',
    'contract/x.ts',
    "export * from '../server/config.ts';",
  ],
  [
    'web-and-server-meet-in-contract',
    'web imports server',
    'web/pages/x.tsx',
    "import { port } from '../../server/config.ts';",
  ],
  [
    'web-and-server-meet-in-contract',
    "web imports only the server's types",
    'web/pages/x.tsx',
    "import type { Row } from '../../server/messages/store.ts';",
  ],
  [
    'web-and-server-meet-in-contract',
    'web globs server',
    'web/pages/x.tsx',
    "export const all = import.meta.glob('../../server/**/*.ts');",
  ],
  [
    'web-and-server-meet-in-contract',
    'server imports web',
    'server/http/x.ts',
    "export const page = () => import('../../web/pages/home.tsx');",
  ],
  [
    'room-door',
    "a room imports another room's inside",
    'server/devices/start.ts',
    "import { insert } from '../messages/store.ts';",
  ],
  [
    'room-door',
    "a room imports the types of another room's inside",
    'server/devices/start.ts',
    "import type { Row } from '../messages/store.ts';",
  ],
  [
    'room-door',
    "a room names another room's inside within a type",
    'server/devices/start.ts',
    "export type X = import('../messages/store.ts').Row;",
  ],
  ['room-door', "http imports a room's inside", 'server/http/x.ts', "import '../messages/store.ts';"],
  ['room-door', "main imports a room's inside", 'server/main.ts', "import './messages/store.ts';"],
  [
    'room-door',
    'a room leaves out the extension',
    'server/devices/start.ts',
    "import { insert } from '../messages/store';",
  ],
  [
    'rooms-without-cycles',
    'two rooms import each other',
    'server/wallet/index.ts',
    "export { send } from '../messages/index.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room imports http',
    'server/wallet/x.ts',
    "import { app } from '../http/app.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room imports a provider',
    'server/wallet/x.ts',
    "import { stripe } from '../providers/stripe/stripe.ts';",
  ],
  [
    'provider-imports-port',
    "a provider runs a room's code",
    'server/providers/stripe/x.ts',
    "import { topUp } from '../../wallet/index.ts';",
  ],
  [
    'provider-imports-port',
    'a provider imports another provider',
    'server/providers/smpp/x.ts',
    "import type { stripe } from '../stripe/stripe.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room reads the settings',
    'server/wallet/x.ts',
    "import '../config.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room imports start',
    'server/wallet/x.ts',
    "import type { Rooms } from '../start/rooms.ts';",
  ],
  [
    'only-start-imports-providers',
    'http imports a provider',
    'server/http/x.ts',
    "import { stripe } from '../providers/stripe/index.ts';",
  ],
  [
    'only-start-imports-providers',
    'main imports a provider',
    'server/main.ts',
    "import './providers/stripe/index.ts';",
  ],
  [
    'only-start-imports-providers',
    "start imports a provider's inside",
    'server/start/x.ts',
    "import { stripe } from '../providers/stripe/stripe.ts';",
  ],
  [
    'only-start-imports-providers',
    'the settings load a provider',
    'server/config.ts',
    "export { stripe } from './providers/stripe/index.ts';",
  ],
  [
    'web-rooms-apart',
    'a room of web imports another',
    'web/messages/x.tsx',
    "import { Cards } from '../wallet/cards.tsx';",
  ],
  ['web-rooms-apart', 'ui imports a room', 'web/ui/x.tsx', "import { Cards } from '../wallet/cards.tsx';"],
  [
    'admin-pages-apart',
    "a customer's page imports an admin's",
    'web/pages/x.tsx',
    "import { Retention } from './admin/retention.tsx';",
  ],
  ['package-at-home', 'a room uses pg', 'server/wallet/x.ts', "import type { Pool } from 'pg';"],
  ['package-at-home', 'a room uses stripe', 'server/wallet/x.ts', "import Stripe from 'stripe';"],
  ['declared-package', 'a package comes by accident', 'server/wallet/x.ts', "import 'left-pad';"],
  [
    'import-is-literal',
    'an import is computed',
    'server/wallet/x.ts',
    'export const x = (y: string) => import(y);',
  ],
];

test.each(planted)('%s: %s', async (rule, _, path, text) => {
  const { faults } = await checkImports(plantTree({ [path]: text }));
  expect(faults).toContainEqual(expect.stringContaining(`: ${rule}: `));
});
