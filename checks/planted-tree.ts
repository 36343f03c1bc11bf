import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A small repository without a fault: two rooms, a provider, a page. */
const SOUND: Record<string, string> = {
  'package.json':
    '{ "dependencies": { "zod": "4", "pg": "8", "stripe": "1", "react": "19", "kysely": "0" } }',
  'docs/SCHEMA.md':
    '## messages\n| `messages` | `wallet`: to prove what was paid | texts |\n| `make_month()` | | a month |\n## wallet\n| `wallets` | | money |\n| `paid()` | | a sum |\n',
  'server/migrations/0001_all.sql':
    'create table wallets (id int);\ncreate table letters (id int) partition by list (id);\ncreate table letters_0 partition of letters for values in (0);\ncreate function make_month() returns void language sql as $$ create table inside (id int) $$;\n-- create table never (id int);\ncreate table gone (id int);',
  'server/migrations/0002_all.sql':
    'drop table gone;\nalter table letters rename to messages;\ncreate function paid() returns int language sql as $$ select id from wallets $$;',
  'contract/ground/errors.ts': "export const ERROR_CODES = ['E_INTERNAL'];",
  'contract/customer/wallet.ts': "import { z } from 'zod';\nexport const amount = z.number();",
  'server/config.ts':
    "export { stripeSection } from './providers/stripe/settings.ts';\nexport const port = process.env.PORT;",
  'server/main.ts':
    "import './start/rooms.ts';\nimport './customer/wallet/index.ts';\nimport './http/app.ts';",
  'server/start/rooms.ts': "export { stripe } from '../providers/stripe/index.ts';",
  'server/ground/settings/index.ts': 'export const section = {};',
  'server/http/app.ts': "import { topUp } from '../customer/wallet/index.ts';\nexport const app = { topUp };",
  'server/ground/postgres/index.ts': "import pg from 'pg';\nexport const pool = new pg.Pool();",
  'server/customer/wallet/index.ts': "export { topUp } from './top-up.ts';",
  'server/customer/wallet/top-up.ts':
    "import { pool } from '../../ground/postgres/index.ts';\nimport { text } from '../../ground/translations/index.ts';\nexport const topUp = () => [pool, text('en_US', 'mail.topUp')];",
  'server/customer/wallet/card-processor.ts': 'export interface CardProcessor { charge: () => void }',
  'server/traffic/messages/index.ts':
    "import { topUp } from '../../customer/wallet/index.ts';\nexport const send = topUp;",
  'server/traffic/messages/store.ts':
    "import { sql } from 'kysely';\nexport const insert = sql`insert into messages select make_month()`;\nexport type Row = { id: string };",
  'server/customer/wallet/store.ts':
    "import { sql } from 'kysely';\nexport const paid = sql`with letters as (select id from wallets) select from messages m join letters on m.id = letters.id`;",
  'server/providers/stripe/index.ts': "export { stripe } from './stripe.ts';",
  'server/providers/stripe/settings.ts':
    "import { section } from '../../ground/settings/index.ts';\nexport const stripeSection = section;",
  'server/providers/stripe/stripe.ts':
    "import Stripe from 'stripe';\nimport type { CardProcessor } from '../../customer/wallet/card-processor.ts';\nexport const stripe = (): CardProcessor => new Stripe();",
  'server/ground/translations/index.ts': `export const text = (language: string, label: string) => language + label;\nexport const refused = (code: string) => text('en_US', \`error.\${code}\`);`,
  'server/ground/translations/texts/errors.json':
    '{ "error.E_INTERNAL": { "en_US": "Sorry.", "zh_HK": "抱歉。" } }',
  'server/ground/translations/texts/mails.json': '{ "mail.topUp": { "en_US": "Thanks", "zh_HK": "多謝" } }',
  'server/ground/translations/texts/pages.json':
    '{ "wallet.title": { "en_US": "{{n}} cards", "zh_HK": "{{n}} 張卡" } }',
  'web/ground/i18n/translate.ts': 'export const t = (label: string) => label;',
  'web/customer/wallet/cards.tsx':
    "import { t } from '../../ground/i18n/translate.ts';\nexport const Cards = () => <p>{t('wallet.title')}</p>;",
  'web/traffic/messages/list.tsx':
    "import { useState } from 'react';\nexport const List = () => <p>{useState(0)[0]}</p>;",
  'web/pages/guest/home.tsx':
    "import { ERROR_CODES } from '../../../contract/ground/errors.ts';\nimport { Cards } from '../../customer/wallet/cards.tsx';\nexport default () => <Cards key={ERROR_CODES[0]} />;",
};

/** Writes the sound repository with these files changed or added, for the duration of the test. */
export const plantTree = (changes: Record<string, string> = {}): string => {
  const root = mkdtempSync(join(tmpdir(), 'posthorn-planted-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...SOUND, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};
