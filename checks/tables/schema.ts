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
  ].join('|'),
  'gi',
);

/** Bodies of functions make tables too, by computed names: partitions, which count as their parent. */
const plain = (sql: string): string =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''");

/** The tables and functions that are there once all migrations have run. */
export const readMigrations = (root: string): { tables: Set<string>; functions: Set<string> } => {
  const tables = new Set<string>();
  const functions = new Set<string>();
  const rename = (names: Set<string>, from: string, to: string) => names.delete(from) && names.add(to);
  for (const file of globSync('server/migrations/*.sql', { cwd: root }).sort()) {
    const steps = plain(readFileSync(join(root, file), 'utf8'))
      .toLowerCase()
      .matchAll(STEPS);
    for (const [, made, part, dropped, oldName, newName, fn, droppedFn, oldFn, newFn] of steps) {
      if (made && !part) tables.add(made);
      if (dropped) tables.delete(dropped);
      if (oldName && newName) rename(tables, oldName, newName);
      if (fn) functions.add(fn);
      if (droppedFn) functions.delete(droppedFn);
      if (oldFn && newFn) rename(functions, oldFn, newFn);
    }
  }
  return { tables, functions };
};
