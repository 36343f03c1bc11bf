import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventPayload } from '../../../contract/traffic/webhooks.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the example of docs/WEBHOOKS.md has the fields that are sent', () => {
  const example = JSON.parse(/```json\n(.*?)```/s.exec(read('docs/WEBHOOKS.md'))?.[1] ?? '');
  expect(eventPayload.safeParse(example).error).toBeUndefined();
  expect(Object.keys(example.data)).toEqual(Object.keys(eventPayload.shape.data.shape));
});

test('the README lists every document', () => {
  const documents = readdirSync(new URL('../../../docs', import.meta.url)).filter((name) =>
    name.endsWith('.md'),
  );
  for (const name of documents) expect(read('README.md')).toContain(`](docs/${name})`);
});
