import { Readable } from 'node:stream';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { OptOutFilter, OptOutId } from '../../../contract/customer/opt-outs.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { csvTable } from '../../../contract/ground/csv.ts';
import { type LabelAfter, text } from '../../ground/translations/index.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { listOptOuts, type OptOutRow } from './store.ts';

const PAGE = 1_000;

interface Export extends OptOutFilter {
  accountId: AccountId;
  language: Language;
}

async function* lines(
  { db }: Pick<OptOutsDeps, 'db'>,
  { language, ...wanted }: Export,
): AsyncGenerator<string> {
  const title = (name: LabelAfter<'opt_out.csv.'>) => text(language, `opt_out.csv.${name}`);
  // An import recognises its columns by the second and third, in any language.
  const { head, line } = csvTable<OptOutRow>([
    { title: title('since'), type: 'time', value: ({ since }) => since.toISOString() },
    { title: title('phone'), type: 'phone', value: ({ recipient }) => recipient },
    { title: title('channel'), type: 'text', value: ({ channel }) => channel },
    {
      title: title('source'),
      type: 'text',
      value: ({ source }) => text(language, `opt_out.source.${source}`),
    },
    { title: title('note'), type: 'text', value: ({ note }) => note },
  ]);
  yield head;
  for (let before: OptOutId | undefined; ; ) {
    const page = await listOptOuts(db, { ...wanted, before, limit: PAGE });
    yield page.map(line).join('');
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    before = String(last.id) as OptOutId;
  }
}

/** The whole list, or what matches the filter, newest first; it can be imported again. */
export const exportOptOuts = (deps: Pick<OptOutsDeps, 'db'>, wanted: Export): Readable =>
  Readable.from(lines(deps, wanted));
