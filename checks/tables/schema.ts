import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where people and the check below read who owns what. */
export const PAGE = 'docs/SCHEMA.md';

export interface Owned {
  name: string;
  owner: string;
  /** Rooms that read the table, or call the function, besides its owner. */
  others: string[];
}

export interface Schema {
  tables: Owned[];
  functions: Owned[];
}

const ROW = /^\|\s*`(\w+)(\(\))?`\s*\|([^|]*)\|/;

/** A heading names the owner; a row begins with a table or a function() and those besides who use it. */
export const readPage = (root: string): Schema => {
  const schema: Schema = { tables: [], functions: [] };
  const path = join(root, PAGE);
  let owner = '';
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
    owner = /^##\s+([\w-]+)\s*$/.exec(line)?.[1] ?? owner;
    const [, name, call, used] = ROW.exec(line) ?? [];
    if (!name) continue;
    const others = [...(used ?? '').matchAll(/`([\w-]+)`/g)].map(([, room]) => room ?? '');
    schema[call ? 'functions' : 'tables'].push({ name, owner, others });
  }
  return schema;
};

const NAME = '(?:if\\s+(?:not\\s+)?exists\\s+)?(?:public\\.)?"?(\\w+)"?';
const STEPS = new RegExp(
  [
    `create\\s+(?:unlogged\\s+)?table\\s+${NAME}(\\s+partition\\s+of)?`,
    `drop\\s+table\\s+${NAME}`,
    `alter\\s+table\\s+${NAME}\\s+rename\\s+to\\s+"?(\\w+)"?`,
    `create\\s+(?:or\\s+replace\\s+)?function\\s+${NAME}`,
    `drop\\s+function\\s+${NAME}`,
    `alter\\s+function\\s+${NAME}(?:\\s*\\([^)]*\\))?\\s+rename\\s+to\\s+"?(\\w+)"?`,
    `create\\s+(?:or\\s+replace\\s+)?trigger\\s+${NAME}[\\s\\S]*?\\s+on\\s+${NAME}[\\s\\S]*\\s+execute\\s+function\\s+${NAME}`,
    `drop\\s+trigger\\s+${NAME}\\s+on\\s+${NAME}`,
  ]
    .map((step) => `^\\s*${step}`)
    .join('|'),
);

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** A statement of a migration, where it stands, and its steps without what is quoted. */
interface Step {
  path: string;
  line: number;
  text: string;
  /** Bodies of functions make tables too, by computed names: partitions, which count as their parent. */
  plain: string;
}

const stepsOf = (path: string, sql: string): Step[] => {
  const text = sql.replace(/--.*$/gm, blank);
  const plain = text.replace(/(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'/g, blank).toLowerCase();
  return [...plain.matchAll(/[^\s;][^;]*/g)].map((found) => ({
    path,
    line: sql.slice(0, found.index).split('\n').length,
    text: text.slice(found.index, found.index + found[0].length),
    plain: found[0],
  }));
};

/** What a migration puts on a table: the statement calls the function in the name of the table's owner. */
export interface Trigger extends Step {
  table: string;
  calls: string;
}

export interface Migrated {
  tables: Set<string>;
  functions: Map<string, Step>;
  triggers: Map<string, Trigger>;
}

/** The tables, functions and triggers that are there once all migrations have run. */
export const readMigrations = (root: string): Migrated => {
  const tables = new Set<string>();
  const functions = new Map<string, Step>();
  const triggers = new Map<string, Trigger>();
  const files = globSync('server/migrations/*.sql', { cwd: root }).sort();
  for (const step of files.flatMap((path) => stepsOf(path, readFileSync(join(root, path), 'utf8')))) {
    const [, made, part, dropped, oldName, newName, fn, droppedFn, oldFn, newFn, ...trigger] =
      STEPS.exec(step.plain) ?? [];
    if (made && !part) tables.add(made);
    if (dropped) tables.delete(dropped);
    if (oldName && newName) tables.delete(oldName) && tables.add(newName);
    if (fn) functions.set(fn, step);
    if (droppedFn) functions.delete(droppedFn);
    const renamed = oldFn && functions.get(oldFn);
    if (renamed && newFn) functions.delete(oldFn) && functions.set(newFn, renamed);
    const [name, table, calls, droppedTrigger, ofTable] = trigger;
    if (name && table && calls) triggers.set(`${name} on ${table}`, { ...step, table, calls });
    if (droppedTrigger) triggers.delete(`${droppedTrigger} on ${ofTable}`);
  }
  return { tables, functions, triggers };
};
