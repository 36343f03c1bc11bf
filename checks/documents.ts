import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import type { Check } from './outcome.ts';

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'server/**/*.md', 'agent/**/*.md'];
const SOURCES = [
  'tsconfig.json',
  '{contract,server,web,agent,checks,test,bench,launch}/**/*.{ts,tsx,mjs,sql,json,css}',
];
/** What happened is told in the names of its day. */
const PAST = /^CHANGELOG\.md$/;

const LINK = /\]\(([^)#\s:]+)(?:#[^)]*)?\)/g;
const QUOTED = /`([^`\n]+)`/g;
/** A path from the root; one with a placeholder names many. */
const PATH = /^(?:contract|server|web|agent|checks|test|bench|launch|docs)\/[\w./-]*$/;
/** A file of the code, by its name alone. */
const FILE = /^[a-z][\w-]*\.(?:ts|tsx|mjs|sql)$/;
const NAME = /^[a-z]+(?:[A-Z][a-z\d]*)+$/;

/** What the documents name is there: the files they link to, the paths, and the names of the code. */
export const checkDocuments: Check = async (root) => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const list = (pattern: string | string[]) =>
    globSync(pattern, { cwd: root, exclude: ['node_modules/**'] }).map((path) => path.split(sep).join('/'));
  const sources = list([...SOURCES, '*.mjs']);
  /** A document in the code speaks of what lies beside it, and of what tests it. */
  const namesBy = (document: string) => {
    const folder = /^(server|agent)\//.test(document) ? `${posix.dirname(document)}/` : '';
    const near = sources.filter((path) => path.startsWith(folder) || path.startsWith('test/'));
    return new Set(near.map((path) => posix.basename(path)));
  };
  const words = new Set(list(SOURCES).flatMap((path) => read(path).match(/[A-Za-z]\w*/g) ?? []));
  const documents = list(DOCUMENTS).sort();
  const faults = documents.flatMap((document) => {
    const text = read(document);
    const quoted = PAST.test(document) ? [] : [...text.matchAll(QUOTED)].map(([, what]) => what ?? '');
    const files = namesBy(document);
    const links = [...text.matchAll(LINK)].map(([, to]) => to ?? '');
    return [
      ...links
        .filter((to) => !existsSync(join(root, posix.join(posix.dirname(document), to))))
        .map((to) => `${document}: link-leads-somewhere: there is no ${to}`),
      ...quoted
        .filter((what) => PATH.test(what) && !existsSync(join(root, what)))
        .map((path) => `${document}: path-exists: there is no ${path}`),
      ...quoted
        .filter((what) => FILE.test(what) && !files.has(what))
        .map((name) => `${document}: file-exists: no folder has ${name}`),
      ...quoted
        .filter((what) => NAME.test(what) && !words.has(what))
        .map((name) => `${document}: name-exists: no source has ${name}`),
    ];
  });
  return { note: `${documents.length} documents`, faults: [...new Set(faults)] };
};
