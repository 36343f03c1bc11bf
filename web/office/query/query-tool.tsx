import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PastQuery, QueryZone } from '../../../contract/office/query.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { useStable } from '../../ground/ui/use-stable.ts';
import { BookmarkBar, bookmarkKey } from './bookmark-bar.tsx';
import { HistoryList } from './history-list.tsx';
import { keepFor, useKept } from './kept.ts';
import { MerchantLookup } from './merchant-lookup.tsx';
import { PlaceFields } from './place-fields.tsx';
import classes from './query.module.css';
import { type Bookmarks, databasesQuery, type QueryTarget, tablesQuery } from './query-queries.ts';
import { RunOutcome } from './run-outcome.tsx';
import { SqlEditor } from './sql-editor.tsx';
import { Standing } from './standing.tsx';
import { StatementActs } from './statement-acts.tsx';
import { useBookmarks } from './use-bookmarks.ts';
import { useHotkeys } from './use-hotkeys.ts';
import { useRun } from './use-run.ts';
import { WithheldTurns } from './withheld-turns.tsx';

const NO_TABLES: never[] = [];

/** Where the tool was used last; the first zone and its first database otherwise. */
const usePlace = (zones: QueryZone[]): [QueryTarget, (place: QueryTarget) => void] => {
  const [zone, setZone] = useKept('zone');
  const [database, setDatabase] = useKept('database');
  const zone_id = zones.find(({ id }) => String(id) === zone)?.id ?? zones[0]?.id ?? 0;
  const { data: databases } = useQuery(databasesQuery(zone_id || undefined));
  return [
    { zone_id, database: database || (databases?.[0] ?? '') },
    (place) => {
      setZone(String(place.zone_id));
      setDatabase(place.database);
    },
  ];
};

interface MarkingOptions {
  place: QueryTarget;
  sql: string;
  setPlace: (place: QueryTarget) => void;
  setSql: (sql: string) => void;
}

/** The bookmarks, which of them is chosen, and whether the next one is shared. */
const useMarking = ({ place, sql, setPlace, setSql }: MarkingOptions) => {
  const [shared, setShared] = useState(false);
  const [chosenKey, setChosenKey] = useState('');
  const { bookmarks, save, remove, removeAll } = useBookmarks(place.zone_id || undefined);
  const chosen = bookmarks.find((bookmark) => bookmarkKey(bookmark) === chosenKey);
  const keepAs = async (id: string) => {
    if (await save({ ...place, id, query: sql, shared })) setChosenKey(id);
  };
  const saveAsNew = () => void keepAs(String(Date.now()));
  /** Another admin's bookmark is not changed: it becomes one's own. */
  const saveBookmark = () => (chosen?.own ? void keepAs(chosen.id) : saveAsNew());
  const choose = (bookmark: Bookmarks[number] | undefined) => {
    setChosenKey(bookmark ? bookmarkKey(bookmark) : '');
    if (!bookmark) return;
    setSql(bookmark.query);
    setShared(bookmark.own && bookmark.shared);
    setPlace({ zone_id: bookmark.zone_id, database: bookmark.database });
  };
  const removeChosen = () => {
    void remove(chosen?.id ?? '');
    setChosenKey('');
  };
  const removeEvery = async () => {
    await removeAll();
    setChosenKey('');
  };
  return { bookmarks, chosen, choose, shared, setShared, saveAsNew, saveBookmark, removeChosen, removeEvery };
};

/** The SQL tool: a statement is written, run by the query service, and shown. */
export const QueryTool = ({ zones }: { zones: QueryZone[] }) => {
  // Before anything that is kept is read.
  useState(() => keepFor(storedAccountId() ?? ''));
  const [place, setPlace] = usePlace(zones);
  const [sql, setSql] = useKept('sql');
  const [refreshing, setRefreshing] = useState(false);
  const { run, start, cancel } = useRun();
  const marking = useMarking({ place, sql, setPlace, setSql });
  const tables = useQuery(tablesQuery(place));
  const engine = zones.find(({ id }) => id === place.zone_id)?.engine ?? 'postgres';

  const runSql = (statement = sql) => void start({ ...place, sql: statement });
  const explain = () => {
    void start({ ...place, sql }, engine === 'mysql' ? 'explain format=json ' : 'explain (format json) ');
  };
  const tidy = async () => {
    try {
      // Only those who press the button load it.
      const { format } = await import('sql-formatter');
      setSql(format(sql, { language: engine === 'mysql' ? 'mariadb' : 'postgresql' }));
    } catch {
      toastFailure(t('qf.not_formatted'));
    }
  };
  const use = useStable((query: PastQuery) => {
    setSql(query.sql);
    setPlace({ zone_id: query.zone_id, database: query.database });
    window.scrollTo({ top: 0 });
  });
  const show = (statement: string) => {
    setSql(statement);
    runSql(statement);
  };

  const { saveBookmark, saveAsNew } = marking;
  useHotkeys({ run: runSql, save: saveBookmark, saveAsNew, refresh: () => setRefreshing(true) });

  return (
    <div className={classes.panels}>
      <Panel title={t('qf.statement')}>
        <PlaceFields
          zones={zones}
          place={place}
          onPlace={setPlace}
          tables={tables.data ?? NO_TABLES}
          tablesFault={tables.error?.message}
          onTable={(table) => setSql(`select * from ${table}`)}
        />
        <BookmarkBar
          bookmarks={marking.bookmarks}
          chosen={marking.chosen}
          onChoose={marking.choose}
          onDelete={marking.removeChosen}
          onDeleteAll={marking.removeEvery}
        />
        <SqlEditor
          value={sql}
          onChange={setSql}
          label={t('qf.editor')}
          engine={engine}
          tables={tables.data ?? NO_TABLES}
          faultAt={run.kind === 'failed' ? (run.fault?.position ?? undefined) : undefined}
        />
        <StatementActs
          {...marking}
          running={run.kind === 'running'}
          placed={place.database !== ''}
          empty={!sql.trim()}
          onRun={() => runSql()}
          onCancel={() => void cancel()}
          onExplain={explain}
          onTidy={() => void tidy()}
        />
      </Panel>
      <Panel title={t('qf.result')}>
        <Standing />
        <RunOutcome run={run} />
      </Panel>
      <WithheldTurns />
      <Panel title={t('qf.merchants')}>
        <MerchantLookup place={place} onQuery={show} />
      </Panel>
      <Panel title={t('qf.history')}>
        <HistoryList onUse={use} />
      </Panel>
      <ConfirmDialog
        opened={refreshing}
        onClose={() => setRefreshing(false)}
        onConfirm={async () => window.location.reload()}
        title={t('qf.refresh')}
        cancel={t('layout.cancel')}
        confirm={t('qf.refresh')}
        close={t('layout.close')}
      >
        {t('qf.refresh_sure')}
      </ConfirmDialog>
    </div>
  );
};
