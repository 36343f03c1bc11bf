import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { QueryResult } from '../../../contract/office/query.ts';
import { keepFile } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CopyButton } from '../../ground/ui/copy-button.tsx';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import classes from './result.module.css';
import { type ResultRow, resultColumns } from './result-columns.tsx';
import { csvOf, jsonOf, resultRecord, uniqueNames } from './result-file.ts';

const idOf = ({ id }: ResultRow): string => id;
const FILE = 'posthorn-query';
const CSV_FORMS = [
  { form: 'data', label: () => t('qf.export_csv_data'), name: `${FILE}.csv` },
  { form: 'spreadsheet', label: () => t('qf.export_csv_spreadsheet'), name: `${FILE}-spreadsheet.csv` },
] as const;

const Copy = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value} label={label} onCopied={() => toastSuccess(t('qf.copied'))} />
);

const RowPanel = ({ names, row }: { names: string[]; row: ResultRow }) => (
  <>
    <div className={classes.rowTools}>
      <Copy value={JSON.stringify(resultRecord(names, row.cells), null, 2)} label={t('qf.copy_row')} />
      {t('qf.copy_row')}
    </div>
    <dl className={classes.record}>
      {names.map((name, at) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {row.cells[at] ?? <span className={classes.null}>NULL</span>}
            <Copy value={row.cells[at] ?? ''} label={t('qf.copy_cell', { column: name })} />
          </dd>
        </div>
      ))}
    </dl>
  </>
);

/** The rows of an answer; a row opens its panel, where its cells can be copied. */
export const ResultList = ({ result, id }: { result: QueryResult; id: number }) => {
  const columns = useMemo(() => resultColumns(result), [result]);
  const names = useMemo(() => uniqueNames(result), [result]);
  const rows = useMemo(
    () => result.rows.map((cells, at): ResultRow => ({ id: String(at + 1), cells })),
    [result],
  );
  const save = (content: string, type: string, name: string) => keepFile(new Blob([content], { type }), name);
  return (
    <DataList
      // Another answer has other columns: nothing of the one before stays.
      key={id}
      name="qf-result"
      label={t('qf.result')}
      columns={columns}
      rows={rows}
      rowId={idOf}
      empty={t('qf.no_rows')}
      boxed
      panel={{
        title: (row) => t('qf.row', { row: row.id }),
        content: (row) => <RowPanel names={names} row={row} />,
      }}
      tools={
        <div className={classes.exports}>
          {CSV_FORMS.map(({ form, label, name }) => (
            <Button
              key={form}
              size="sm"
              variant="default"
              onClick={() => save(csvOf(result, form), 'text/csv;charset=utf-8', name)}
            >
              {label()}
            </Button>
          ))}
          <Button
            size="sm"
            variant="default"
            onClick={() => save(jsonOf(result), 'application/json', `${FILE}.json`)}
          >
            {t('qf.export_json')}
          </Button>
        </div>
      }
    />
  );
};
