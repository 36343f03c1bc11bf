import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { plainColumn } from '../../ground/ui/data-list/plain-column.ts';
import { FieldsDialog } from '../../ground/ui/forms/fields-dialog.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';
import { type CarrierPrefix, carriersQuery } from './carriers-query.ts';
import { faultyPrefixLine, fromLines, toLines } from './prefix-lines.ts';

const prefixOf = ({ prefix }: CarrierPrefix): string => prefix;

const COLUMNS: Column<CarrierPrefix>[] = [
  plainColumn({ id: 'prefix', label: () => t('carriers.prefix'), of: prefixOf, width: 9, line: 1 }),
  plainColumn({
    id: 'carrier',
    label: () => t('messages.carrier'),
    of: ({ carrierName }) => carrierName,
    width: 10,
    grow: 1,
    line: 1,
  }),
];

const lineFault = (typed: string) => {
  const line = faultyPrefixLine(typed);
  return line !== undefined && t('carriers.line_invalid', { line });
};

/** Whose network a number is in, by how it begins. */
export const CarriersPanel = () => {
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const carriers = useQuery(carriersQuery);
  const prefixes = carriers.data?.prefixes ?? NO_ROWS;
  return (
    <Panel title={t('carriers.title')}>
      <p className={list.hint}>{t('carriers.hint')}</p>
      <DataList
        name="carriers"
        label={t('carriers.title')}
        columns={COLUMNS}
        rows={prefixes}
        rowId={prefixOf}
        query={carriers}
        failed={t('carriers.failed')}
        empty={t('carriers.none')}
        expected={3}
        tools={
          carriers.isSuccess &&
          may('PUT /admin/carrierPrefixes') && (
            <Button size="xs" variant="default" onClick={() => setEditing(true)}>
              {t('carriers.edit')}
            </Button>
          )
        }
      />
      <FieldsDialog
        opened={editing}
        onClose={() => setEditing(false)}
        title={t('carriers.edit')}
        text={t('carriers.edit_hint')}
        confirm={t('contacts.save')}
        fields={[
          {
            name: 'lines',
            label: t('carriers.title'),
            kind: 'lines',
            initial: toLines(prefixes),
            fault: lineFault,
          },
        ]}
        submit={async ({ lines = '' }) => {
          await call('PUT /admin/carrierPrefixes', { body: { prefixes: fromLines(lines) } });
          return { message: t('carriers.saved') };
        }}
      />
    </Panel>
  );
};
