import { t } from './translate.ts';

/** The texts of a dialog that imports a CSV file. */
export const importLabels = () => ({
  file: t('lists.file'),
  choose: t('lists.choose_file'),
  missing: t('lists.file_missing'),
  submit: t('lists.import_button'),
  cancel: t('layout.cancel'),
  close: t('layout.close'),
  refusals: t('lists.refusals'),
  place: ({ row, column }: { row: number; column: string }) => t('lists.place', { row, column }),
});
