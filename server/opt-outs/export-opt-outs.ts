import { Readable } from 'node:stream';
import type { AccountId } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import type { OptOutFilter, OptOutId } from '../../contract/opt-outs.ts';
import { CSV_START, csvLine } from '../csv/index.ts';
import { text } from '../translations/index.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { listOptOuts } from './store.ts';

const PAGE = 1_000;

interface Export extends OptOutFilter {
  accountId: AccountId;
  language: Language;
}

async function* lines(
  { db }: Pick<OptOutsDeps, 'db'>,
  { language, ...wanted }: Export,
): AsyncGenerator<string> {
  const titles = ['phone', 'channel', 'since', 'source', 'note'];
  // An import recognises its columns by the first two, in any language.
  yield CSV_START + csvLine(titles.map((title) => text(language, `opt_out.csv.${title}`)));
  for (let before: OptOutId | undefined; ; ) {
    const page = await listOptOuts(db, { ...wanted, before, limit: PAGE });
    yield page
      .map(({ recipient, channel, since, source, note }) =>
        csvLine([recipient, channel, since.toISOString(), text(language, `opt_out.source.${source}`), note]),
      )
      .join('');
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    before = String(last.id) as OptOutId;
  }
}

/** The whole list, or what matches the filter, newest first; it can be imported again. */
export const exportOptOuts = (deps: Pick<OptOutsDeps, 'db'>, wanted: Export): Readable =>
  Readable.from(lines(deps, wanted));
