import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconArrowBackUp, IconSearch } from '@tabler/icons-react';
import { type FormEvent, lazy, type ReactNode, Suspense, useCallback, useId, useRef, useState } from 'react';
import type { SmsCountry } from '../../../../contract/traffic/startup.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { useStable } from '../../../ground/ui/use-stable.ts';
import { useUnfolding } from '../../../ground/ui/use-unfolding.ts';
import { countSet, FilterChips } from './filter-chips.tsx';
import { defaultFilters, type MessageFilters, sameFilters } from './message-filters.ts';
import { QuickDays } from './quick-days.tsx';
import classes from './search-bar.module.css';
import { dayFaults, SearchFields } from './search-fields.tsx';
import { useDraft } from './use-draft.ts';

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
}

interface UnfoldedFieldsProps extends Pick<SearchBarProps, 'admin' | 'countries' | 'carriers'> {
  draft: MessageFilters;
  onChange: (part: Partial<MessageFilters>) => void;
  above: ReactNode;
}

const UnfoldedFields = ({ above, carriers, ...fields }: UnfoldedFieldsProps) => (
  <>
    {above}
    <SearchFields {...fields} />
    {fields.admin && (
      <Suspense>
        <AdminFields draft={fields.draft} onChange={fields.onChange} carriers={carriers} />
      </Suspense>
    )}
  </>
);

const SearchButton = () => (
  <Button
    className={classes.icon}
    size="xs"
    type="submit"
    leftSection={<IconSearch size={15} aria-hidden="true" />}
  >
    <span className={classes.word}>{t('messages.search_button')}</span>
  </Button>
);

/** One line that stays in reach: what is searched for as chips, and the fields below it on demand. */
export const SearchBar = ({ filters, admin, countries, carriers, onSearch, summary }: SearchBarProps) => {
  const [draft, setDraft] = useDraft(filters);
  const [undo, setUndo] = useState<MessageFilters>();
  const { opened, open, toggle, holder, button } = useUnfolding();
  const form = useRef<HTMLFormElement>(null);
  const fieldsId = useId();
  const wide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  const change = useCallback(
    (part: Partial<MessageFilters>) => setDraft((now) => ({ ...now, ...part })),
    [setDraft],
  );

  const search = (part: Partial<MessageFilters>) => {
    const next = { ...draft, page: 1, ...part };
    const { from, to } = dayFaults(next);
    const faulty = from !== false || to !== false;
    setDraft(next);
    // A fault is shown at its field. Where the fields close, the focus must not be lost with them.
    if (!faulty && document.getElementById(fieldsId)?.contains(document.activeElement))
      button.ref.current?.focus();
    open(faulty);
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
  const onRemove = useStable((part: Partial<MessageFilters>) => search(part));
  const openAt = useStable((name: keyof MessageFilters) => {
    open(true);
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(`#${CSS.escape(fieldsId)} [name="${name}"]`)?.focus(),
    );
  });
  const set = countSet(filters);
  const quick = <QuickDays days={draft} admin={admin} onSearch={search} />;

  return (
    <search className={classes.bar} aria-label={t('messages.search')}>
      <form ref={form} onSubmit={submit} noValidate>
        <div ref={holder} className={classes.line}>
          {summary}
          <FilterChips filters={filters} admin={admin} onOpen={openAt} onRemove={onRemove} />
          {wide && quick}
          <Button
            {...button}
            className={classes.icon}
            size="xs"
            variant="default"
            aria-controls={fieldsId}
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
            onClick={toggle}
          >
            <span className={classes.word}>{t('messages.filters')}</span>
            {set > 0 && (
              <span className={classes.count} aria-hidden="true">
                {set}
              </span>
            )}
          </Button>
          <div id={fieldsId} className={classes.fields} hidden={!opened}>
            {opened && (
              <UnfoldedFields
                draft={draft}
                onChange={change}
                admin={admin}
                countries={countries}
                carriers={carriers}
                above={!wide && quick}
              />
            )}
          </div>
          {undo && (
            <button type="button" className={classes.chip} onClick={() => search(undo)}>
              <IconArrowBackUp size={15} aria-hidden="true" />
              {t('messages.undo')}
            </button>
          )}
          <Button size="xs" variant="default" onClick={clear}>
            {t('messages.clear')}
          </Button>
          <SearchButton />
        </div>
      </form>
    </search>
  );
};
