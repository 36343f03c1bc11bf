import type texts from '../../../server/ground/translations/texts/pages.json';

/** The labels of the texts that the browser gets. Only their names are imported: the texts come with the page. */
export type Label = keyof typeof texts;
type Table = Readonly<Record<string, string>>;

let table: Table = {};

export const setTexts = (texts: Table) => {
  table = texts;
};

/** The text of a label; a missing one shows the label in brackets. Call it while rendering, not on import. */
export const t = (label: Label, params: Readonly<Record<string, string | number>> = {}): string =>
  Object.hasOwn(table, label)
    ? (table[label] ?? '').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole))
    : `[${label}]`;
