import { Button, NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../../../ground/i18n/translate.ts';
import { statusText } from '../../../ground/message-status/status-tag.tsx';
import { SearchDayField } from '../search/day-field.tsx';
import { dayFaults } from '../search/search-fields.tsx';
import { LOG_STATUSES, type LogFilters } from './log-filters.ts';
import classes from './message-log.module.css';

type Draft = Pick<LogFilters, 'dateFrom' | 'dateTo' | 'status'>;

interface LogFieldsProps {
  filters: LogFilters;
  onSearch: (draft: Draft) => void;
  children: ReactNode;
}

const draftOf = ({ dateFrom, dateTo, status }: LogFilters): Draft => ({ dateFrom, dateTo, status });

/** The fields take effect when Search is pressed. */
export const LogFields = ({ filters, onSearch, children }: LogFieldsProps) => {
  const [draft, setDraft] = useState(() => draftOf(filters));
  const [seen, setSeen] = useState(filters);
  // Going back in the browser's history restores the fields too.
  if (seen !== filters) {
    setSeen(filters);
    setDraft(draftOf(filters));
  }
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const faults = dayFaults(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!faults.from && !faults.to) onSearch(draft);
  };
  return (
    <search className={classes.search} aria-label={t('log.search')}>
      <form className={classes.fields} onSubmit={submit} noValidate>
        <SearchDayField
          name="dateFrom"
          label={t('messages.date_from')}
          value={draft.dateFrom}
          error={faults.from}
          onChange={change}
        />
        <SearchDayField
          name="dateTo"
          label={t('messages.date_to')}
          value={draft.dateTo}
          error={faults.to}
          onChange={change}
        />
        <NativeSelect
          size="xs"
          label={t('log.status')}
          data={[
            { value: '', label: t('messages.any') },
            ...LOG_STATUSES.map((value) => ({ value, label: statusText(value) })),
          ]}
          value={draft.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value as Draft['status'] })}
        />
        <Button
          size="xs"
          type="submit"
          className={classes.button}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
        >
          {t('messages.search_button')}
        </Button>
      </form>
      {children}
    </search>
  );
};
