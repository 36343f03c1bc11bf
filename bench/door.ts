import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bar, Definition } from './definition.ts';
import { table } from './measuring/table.ts';

interface Door {
  /** The npm script, for the hint. */
  command: string;
  /** The kind of files that this command runs: NAME.kind.ts. */
  kind: 'bench' | 'proof';
  folder?: string;
  print?: (line: string) => void;
}

const readArgs = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      size: { type: 'string' },
    },
  });

const isMet = ({ min, max }: Bar, figure: number | undefined): boolean =>
  figure !== undefined && (min === undefined || figure >= min) && (max === undefined || figure <= max);

const inWords = ({ figure, min, max }: Bar): string =>
  [figure, min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`]
    .filter(Boolean)
    .join(' ');

/** Where what this command runs is, by name. */
const filesBehind = (kind: Door['kind'], folder: string): Map<string, string> =>
  new Map(
    globSync(`**/*.${kind}.ts`, { cwd: folder })
      .map((file): [string, string] => [basename(file, `.${kind}.ts`), join(folder, file)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export const namesBehind = (kind: Door['kind'], folder = import.meta.dirname): string[] => [
  ...filesBehind(kind, folder).keys(),
];

/** Runs what is named and returns the exit code. */
export const openDoor = async (
  { command, kind, folder = import.meta.dirname, print = console.log }: Door,
  args: string[],
): Promise<number> => {
  const files = filesBehind(kind, folder);
  const names = [...files.keys()];
  const usage = `npm run ${command} -- NAME [PART …] [--check] [--quick] [--size NUMBER], where NAME is one of: ${names.join(', ')}`;
  let given: ReturnType<typeof readArgs>;
  try {
    given = readArgs(args);
  } catch (error) {
    print(`${(error as Error).message}\n${usage}`);
    return 1;
  }
  const { check, quick } = given.values;
  const size = given.values.size === undefined ? undefined : Number(given.values.size);
  if (size !== undefined && !(size > 0)) {
    print(`--size must be a number above 0\n${usage}`);
    return 1;
  }
  const [name, ...parts] = given.positionals;
  const file = files.get(name ?? '');
  if (file === undefined) {
    print(name === undefined ? usage : `There is no ${name}: ${usage}`);
    return 1;
  }
  const { default: definition } = (await import(pathToFileURL(file).href)) as {
    default: Definition;
  };
  const unknown = parts.find((part) => !definition.parts?.includes(part));
  if (unknown !== undefined) {
    print(`${name} has no part ${unknown}; its parts: ${definition.parts?.join(', ') || 'none'}`);
    return 1;
  }
  print(`${definition.title}${quick ? ' (a quick run)' : ''}\n`);
  const { rows, figures, bars } = await definition.run({ quick, parts, size });
  print(`${table(rows)}\n`);
  const judged = bars.map((bar) => ({ ...bar, met: isMet(bar, figures[bar.figure]) }));
  for (const bar of judged)
    print(`${bar.met ? 'met   ' : 'MISSED'}  ${inWords(bar)}: ${figures[bar.figure] ?? 'not measured'}`);
  print(JSON.stringify({ name, quick, figures, bars: judged }));
  return check && judged.some(({ met }) => !met) ? 1 : 0;
};
