import { expect, test } from 'vitest';
import { emptyDatabase } from '../database.ts';
import { newDataDir, running } from './data-dir.ts';

test('while developing the pages have their modules, and what there is not is 404', async () => {
  const database = await emptyDatabase();
  try {
    const env = { DATABASE_URL: database.url, SECRET_KEY: 'a'.repeat(64) };
    const { url, stop } = await running({ dataDir: await newDataDir(), env, command: 'dev' });
    const ask = async (path: string) => {
      const reply = await fetch(`${url}${path}`, { headers: { accept: 'text/html,*/*' } });
      const text = await reply.text();
      return { status: reply.status, type: reply.headers.get('content-type')?.split(';')[0], text };
    };
    const page = { type: 'text/html', text: expect.stringContaining('<div id="root">') };
    for (const path of ['/', '/login', '/dashboard/messages/details/1'])
      expect(await ask(path)).toMatchObject({ status: 200, ...page });
    for (const path of ['/nowhere', '/dashboard/nowhere'])
      expect(await ask(path)).toMatchObject({ status: 404, ...page });
    for (const path of ['/llms.txt', '/assets/gone.js', '/index.html'])
      expect(await ask(path)).toEqual({ status: 404, type: 'text/plain', text: 'Not found.\n' });
    expect(await ask('/ground/api/session.ts')).toMatchObject({ status: 200, type: 'text/javascript' });
    expect(await ask('/robots.txt')).toMatchObject({ status: 200, type: 'text/plain' });
    for (const path of ['/api/startup', '/openapi.json'])
      expect(await ask(path)).toMatchObject({ status: 200, type: 'application/json' });
    expect(await ask('/api/nothing')).toMatchObject({ status: 404, type: 'application/json' });
    await stop();
  } finally {
    await database.drop();
  }
});
