import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { QueryTable, QueryZone } from '../../../contract/office/query.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './query.module.css';
import { databasesQuery, type QueryTarget } from './query-queries.ts';

interface PlaceFieldsProps {
  zones: QueryZone[];
  place: QueryTarget;
  onPlace: (place: QueryTarget) => void;
  tables: QueryTable[];
  /** Why there are none. */
  tablesFault: string | undefined;
  onTable: (table: string) => void;
}

/** Where a statement is run: the zone, its database, also one that no list knows, and a table to begin with. */
export const PlaceFields = ({ zones, place, onPlace, tables, tablesFault, onTable }: PlaceFieldsProps) => {
  const databases = useQuery(databasesQuery(place.zone_id || undefined));
  const known = databases.data ?? [];
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={t('qf.zone')}
        value={String(place.zone_id)}
        onChange={({ currentTarget }) => onPlace({ zone_id: Number(currentTarget.value), database: '' })}
        data={zones.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <NativeSelect
        label={t('qf.database')}
        value={known.includes(place.database) ? place.database : ''}
        error={databases.error?.message}
        onChange={({ currentTarget }) => onPlace({ ...place, database: currentTarget.value })}
        data={[{ value: '', label: '' }, ...known.map((name) => ({ value: name, label: name }))]}
      />
      <TextInput
        label={t('qf.database_text')}
        value={place.database}
        maxLength={128}
        onChange={({ currentTarget }) => onPlace({ ...place, database: currentTarget.value })}
      />
      <NativeSelect
        label={t('qf.table')}
        value=""
        error={tablesFault}
        onChange={({ currentTarget }) => currentTarget.value && onTable(currentTarget.value)}
        data={[
          { value: '', label: t('qf.table_choose', { count: tables.length }) },
          ...tables.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
    </div>
  );
};
