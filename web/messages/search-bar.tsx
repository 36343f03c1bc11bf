import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconArrowBackUp, IconSearch } from '@tabler/icons-react';
import { type FormEvent, lazy, memo, type ReactNode, Suspense, useCallback, useId, useState } from 'react';
import type { SmsCountry } from '../../contract/startup.ts';
import { t } from '../i18n/translate.ts';
import { isDay, recentDays, shiftDays, todayOnly } from './days.ts';
import { defaultFilters, type MessageFilters, sameFilters } from './message-filters.ts';
import classes from './search-bar.module.css';
import { dayFaults, SearchFields } from './search-fields.tsx';
import { useStable } from './use-stable.ts';

const AdminFields = lazy(() =>
  import('./admin-fields.tsx').then((module) => ({ default: module.AdminFields })),
);

interface SearchBarProps {
  filters: MessageFilters;
  admin: boolean;
  countries: SmsCountry[];
  carriers: { value: string; label: string }[];
  onSearch: (filters: MessageFilters) => void;
  /** The number of matches. */
  summary: ReactNode;
  /** Buttons for the matches, such as the export. */
  actions: ReactNode;
  /** When the list was last read, as a timestamp; 0 before it was. */
  refreshedAt: number;
  onRefresh: () => void;
}

/** Filters that changed in the search replace what was typed; the others stay as typed. */
const followed = (draft: MessageFilters, before: MessageFilters, now: MessageFilters): MessageFilters => {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(before[name as keyof MessageFilters]) !== JSON.stringify(value),
  );
  return { ...draft, ...Object.fromEntries(changed) };
};

const useDraft = (filters: MessageFilters) => {
  const [draft, setDraft] = useState(filters);
  const [seen, setSeen] = useState(filters);
  if (seen !== filters) {
    setSeen(filters);
    setDraft(followed(draft, seen, filters));
  }
  return [draft, setDraft] as const;
};

const Toggle = memo(
  ({
    opened,
    controls,
    onChange,
  }: {
    opened: boolean;
    controls: string;
    onChange: (to: boolean) => void;
  }) => (
    <Button
      className={classes.toggle}
      size="xs"
      variant="default"
      aria-expanded={opened}
      aria-controls={controls}
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
      onClick={() => onChange(!opened)}
    >
      {t('messages.filters')}
    </Button>
  ),
);

const Decide = memo(({ onClear }: { onClear: (event: unknown) => void }) => (
  <>
    <Button size="xs" variant="default" onClick={onClear}>
      {t('messages.clear')}
    </Button>
    <Button size="xs" type="submit" leftSection={<IconSearch size={15} aria-hidden="true" />}>
      {t('messages.search_button')}
    </Button>
  </>
));

export const SearchBar = ({
  filters,
  admin,
  countries,
  carriers,
  onSearch,
  summary,
  actions,
  refreshedAt,
  onRefresh,
}: SearchBarProps) => {
  const [draft, setDraft] = useDraft(filters);
  const [undo, setUndo] = useState<MessageFilters>();
  const [opened, setOpened] = useState(false);
  const fieldsId = useId();
  const change = useCallback(
    (part: Partial<MessageFilters>) => setDraft((now) => ({ ...now, ...part })),
    [setDraft],
  );

  const search = (part: Partial<MessageFilters>) => {
    const next = { ...draft, page: 1, ...part };
    const { from, to } = dayFaults(next);
    const faulty = from !== false || to !== false;
    setDraft(next);
    // The fault is shown at its field, so collapsed fields are opened.
    setOpened(faulty);
    if (faulty) return;
    setUndo(undefined);
    onSearch(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search({});
  };
  const clear = () => {
    const cleared = { ...defaultFilters(), autoRefresh: draft.autoRefresh };
    setUndo(sameFilters(draft, cleared) ? undefined : draft);
    setDraft(cleared);
    onSearch(cleared);
  };
  const onClear = useStable(clear);
  const shift = (by: number) => {
    const days = isDay(draft.dateFrom) && isDay(draft.dateTo) ? draft : todayOnly(new Date());
    search(shiftDays(days, by));
  };
  const quick: [string, () => void][] = [
    [t('messages.day_before'), () => shift(-1)],
    [t('messages.today'), () => search(todayOnly(new Date()))],
    [t('messages.day_after'), () => shift(1)],
    [t('messages.recent'), () => search(recentDays(new Date()))],
    ...(admin
      ? [
          [t('messages.latest_update'), () => search({ sort: 'updatedAt', order: 'desc' })] as [
            string,
            () => void,
          ],
        ]
      : []),
  ];

  return (
    <search className={classes.bar} aria-label={t('messages.search')}>
      <form onSubmit={submit} noValidate>
        <div id={fieldsId} className={classes.folding} data-opened={opened || undefined}>
          <div className={classes.fields}>
            <SearchFields draft={draft} onChange={change} admin={admin} countries={countries} />
            {admin && (
              <Suspense>
                <AdminFields
                  draft={draft}
                  onChange={change}
                  carriers={carriers}
                  autoRefresh={{
                    enabled: filters.autoRefresh,
                    checked: draft.autoRefresh,
                    refreshedAt,
                    onToggle: (autoRefresh) => {
                      change({ autoRefresh });
                      onSearch({ ...filters, autoRefresh });
                    },
                    refresh: onRefresh,
                  }}
                />
              </Suspense>
            )}
          </div>
        </div>
        <div className={classes.foot}>
          {summary}
          {actions}
          <fieldset
            className={classes.quick}
            aria-label={t('messages.quick_days')}
            data-opened={opened || undefined}
          >
            {quick.map(([label, act]) => (
              <button key={label} type="button" className={classes.chip} onClick={act}>
                {label}
              </button>
            ))}
          </fieldset>
          <div className={classes.buttons}>
            <Toggle opened={opened} controls={fieldsId} onChange={setOpened} />
            {undo && (
              <button type="button" className={classes.chip} onClick={() => search(undo)}>
                <IconArrowBackUp size={15} aria-hidden="true" />
                {t('messages.undo')}
              </button>
            )}
            <Decide onClear={onClear} />
          </div>
        </div>
      </form>
    </search>
  );
};
