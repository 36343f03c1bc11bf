import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from '../planted-tree.ts';
import { checkImports } from './import-rules.ts';

test('a sound house passes', async () => {
  expect((await checkImports(plantTree())).faults).toEqual([]);
});

test('this house passes', async () => {
  expect((await checkImports(join(import.meta.dirname, '../..'))).faults).toEqual([]);
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
    "import type { Row } from '../../server/traffic/messages/store.ts';",
  ],
  [
    'web-and-server-meet-in-contract',
    'web loads the texts instead of the names of their labels',
    'web/pages/x.tsx',
    "import texts from '../../server/ground/translations/texts/pages.json';",
  ],
  ['web-without-zod', 'web imports zod', 'web/pages/x.tsx', "import { z } from 'zod';"],
  [
    'web-without-zod',
    'a page imports a schema of the contract',
    'web/pages/x.tsx',
    "import { amount } from '../../contract/customer/wallet.ts';",
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
    "export const page = () => import('../../web/pages/guest/home.tsx');",
  ],
  [
    'agent-apart',
    'the agent imports the server',
    'agent/x.ts',
    "import { port } from '../server/config.ts';",
  ],
  ['agent-apart', 'the server imports the agent', 'server/http/x.ts', "import '../../agent/x.ts';"],
  [
    'room-door',
    "a room imports another room's inside",
    'server/fleet/devices/start.ts',
    "import { insert } from '../../traffic/messages/store.ts';",
  ],
  [
    'room-door',
    "a room imports the types of another room's inside",
    'server/fleet/devices/start.ts',
    "import type { Row } from '../../traffic/messages/store.ts';",
  ],
  [
    'room-door',
    "a room names another room's inside within a type",
    'server/fleet/devices/start.ts',
    "export type X = import('../../traffic/messages/store.ts').Row;",
  ],
  ['room-door', "http imports a room's inside", 'server/http/x.ts', "import '../traffic/messages/store.ts';"],
  ['room-door', "main imports a room's inside", 'server/main.ts', "import './traffic/messages/store.ts';"],
  [
    'room-door',
    'a room leaves out the extension',
    'server/fleet/devices/start.ts',
    "import { insert } from '../../traffic/messages/store';",
  ],
  [
    'room-door',
    "shipped code enters by a room's door for tests",
    'server/fleet/devices/start.ts',
    "import { insert } from '../../traffic/messages/testing/index.ts';",
  ],
  [
    'floors-go-down',
    'a room imports one of a higher floor',
    'server/customer/wallet/x.ts',
    "import type { send } from '../../traffic/messages/index.ts';",
  ],
  [
    'floors-go-down',
    'the contract of a wing imports that of a higher floor',
    'contract/ground/x.ts',
    "import type { amount } from '../customer/wallet.ts';",
  ],
  [
    'rooms-without-cycles',
    'two rooms import each other',
    'server/customer/wallet/index.ts',
    "export { send } from '../../traffic/messages/index.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room imports http',
    'server/customer/wallet/x.ts',
    "import { app } from '../../http/app.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room imports a provider',
    'server/customer/wallet/x.ts',
    "import { stripe } from '../../providers/stripe/stripe.ts';",
  ],
  [
    'provider-imports-port',
    "a provider runs a room's code",
    'server/providers/stripe/x.ts',
    "import { topUp } from '../../customer/wallet/index.ts';",
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
    'server/customer/wallet/x.ts',
    "import '../../config.ts';",
  ],
  [
    'rooms-below-http-and-providers',
    'a room imports start',
    'server/customer/wallet/x.ts',
    "import type { Rooms } from '../../start/rooms.ts';",
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
    'web/traffic/messages/x.tsx',
    "import { Cards } from '../../customer/wallet/cards.tsx';",
  ],
  [
    'web-rooms-apart',
    'ui imports a room',
    'web/ground/ui/x.tsx',
    "import { Cards } from '../../customer/wallet/cards.tsx';",
  ],
  [
    'admin-pages-apart',
    "a customer's page imports an admin's",
    'web/pages/x.tsx',
    "import { Retention } from './admin/retention.tsx';",
  ],
  [
    'room-door',
    "a provider's test runs another room's inside",
    'server/providers/stripe/x.test.ts',
    "import { topUp } from '../../customer/wallet/top-up.ts';",
  ],
  [
    'room-door',
    "a room's test imports another room's inside",
    'server/fleet/devices/x.test.ts',
    "import { insert } from '../../traffic/messages/store.ts';",
  ],
  [
    'test-and-bench-door',
    "test imports a room's inside",
    'test/x.ts',
    "import { topUp } from '../server/customer/wallet/top-up.ts';",
  ],
  [
    'test-and-bench-door',
    "a test in a folder imports the types of a room's inside",
    'test/e2e/x.spec.ts',
    "import type { Row } from '../../server/traffic/messages/store.ts';",
  ],
  [
    'test-and-bench-door',
    "bench imports a room's inside",
    'bench/x.bench.ts',
    "export default () => import('../server/customer/wallet/top-up.ts');",
  ],
  [
    'test-and-bench-door',
    "bench imports http's inside",
    'bench/x.bench.ts',
    "import { app } from '../server/http/app.ts';",
  ],
  [
    'test-and-bench-door',
    "test imports a provider's inside",
    'test/x.ts',
    "import { stripe } from '../server/providers/stripe/stripe.ts';",
  ],
  ['test-and-bench-door', 'test starts the program in itself', 'test/x.ts', "import '../server/main.ts';"],
  [
    'shipped-code-apart',
    'a room imports what tests share',
    'server/customer/wallet/x.ts',
    "import { room } from '../../../test/wallet.ts';",
  ],
  [
    'shipped-code-apart',
    "a room imports another's testing",
    'server/customer/wallet/x.ts',
    "import { room } from '../../traffic/messages/testing/room.ts';",
  ],
  ['shipped-code-apart', 'a page imports bench', 'web/pages/x.tsx', "import '../../bench/load/load.ts';"],
  ['bench-above-test', 'what tests share imports bench', 'test/x.ts', "import '../bench/load/load.ts';"],
  [
    'bench-above-test',
    "a room's test imports bench",
    'server/customer/wallet/x.test.ts',
    "import '../../../bench/load/load.ts';",
  ],
  ['checks-apart', 'a check imports server', 'checks/x.ts', "import { port } from '../server/config.ts';"],
  ['checks-apart', 'a check imports test', 'checks/x.test.ts', "import { room } from '../test/wallet.ts';"],
  ['web-ground-in-layers', 'i18n imports ui', 'web/ground/i18n/x.tsx', "import '../ui/controls.module.css';"],
  [
    'web-ground-in-layers',
    'i18n imports api',
    'web/ground/i18n/x.ts',
    "import { call } from '../api/call.ts';",
  ],
  [
    'web-ground-in-layers',
    'api imports ui',
    'web/ground/api/x.ts',
    "import type { Toast } from '../ui/feedback/toast.ts';",
  ],
  [
    'files-without-cycles',
    'two files of a room import each other, one of them only types',
    'server/customer/wallet/top-up.ts',
    "import type { topUp as self } from './index.ts';\nexport const topUp = (again: typeof self) => again;",
  ],
  ['package-at-home', 'a room uses pg', 'server/customer/wallet/x.ts', "import type { Pool } from 'pg';"],
  ['package-at-home', 'a room uses stripe', 'server/customer/wallet/x.ts', "import Stripe from 'stripe';"],
  ['package-at-home', 'a provider uses undici', 'server/providers/x/x.ts', "import { Agent } from 'undici';"],
  ['declared-package', 'a package comes by accident', 'server/customer/wallet/x.ts', "import 'left-pad';"],
  [
    'import-is-literal',
    'an import is computed',
    'server/customer/wallet/x.ts',
    'export const x = (y: string) => import(y);',
  ],
];

test("a part's door is used by one other room", async () => {
  const use = "import { sum } from '../../customer/wallet/ledger/index.ts';";
  const { faults } = await checkImports(
    plantTree({ 'server/office/billing/x.ts': use, 'server/office/exports/x.ts': use }),
  );
  expect(faults).toContainEqual(expect.stringContaining(': part-door-for-one-room: '));
});

test.each(planted)('%s: %s', async (rule, _, path, text) => {
  const { faults } = await checkImports(plantTree({ [path]: text }));
  expect(faults).toContainEqual(expect.stringContaining(`: ${rule}: `));
});

const allowed: [what: string, path: string, text: string][] = [
  [
    'test enters a room by its door',
    'test/x.ts',
    "import { topUp } from '../server/customer/wallet/index.ts';",
  ],
  [
    "a room enters a part of another by the part's door",
    'server/office/billing/x.ts',
    "import { sum } from '../../customer/wallet/ledger/index.ts';",
  ],
  ['test enters a provider by its door', 'test/x.ts', "import '../server/providers/stripe/index.ts';"],
  [
    'test imports what a room keeps for tests',
    'test/x.ts',
    "import '../server/customer/wallet/testing/room.ts';",
  ],
  [
    'testing imports the inside of its room',
    'server/customer/wallet/testing/x.ts',
    "import { topUp } from '../top-up.ts';",
  ],
  [
    "a room's test imports another's testing",
    'server/customer/wallet/x.test.ts',
    "import '../../traffic/messages/testing/room.ts';",
  ],
  ['bench imports what tests share', 'bench/x.ts', "import { room } from '../test/wallet.ts';"],
  ['a test runs the benchmarks', 'test/x.test.ts', "import { openDoor } from '../bench/door.ts';"],
  ['test looks into the database by pg', 'test/x.ts', "import pg from 'pg';"],
  ['ui imports i18n', 'web/ground/ui/x.tsx', "import { t } from '../i18n/translate.ts';"],
];

test.each(allowed)('allowed: %s', async (_, path, text) => {
  expect((await checkImports(plantTree({ [path]: text }))).faults).toEqual([]);
});
