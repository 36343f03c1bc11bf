import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

/**
 * Sits between the browser and the program for one file: lets half of it through, then waits for the test to say
 * whether the rest follows or the connection breaks.
 */
export const openHalfway = async (page: Page, programUrl: string, pattern: RegExp) => {
  let decide: (end: 'whole' | 'broken') => void = () => {};
  let closed: Promise<unknown> = Promise.resolve();
  const half = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const decided = new Promise<'whole' | 'broken'>((resolve) => {
      decide = resolve;
    });
    closed = once(response, 'close');
    const headers = ['authorization', 'accept-language'].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    const answer = await fetch(`${programUrl}${request.url}`, { headers });
    const file = Buffer.from(await answer.arrayBuffer());
    const middle = Math.floor(file.length / 2);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.write(file.subarray(0, middle), () => half.resolve());
    if ((await decided) === 'whole') response.end(file.subarray(middle));
    else response.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await page.route(pattern, (route) => {
    const { pathname, search } = new URL(route.request().url());
    return route.continue({ url: `http://127.0.0.1:${port}${pathname}${search}` });
  });
  return {
    /** When half of it is through: until then there is nothing to decide about. */
    isHalfway: () => half.promise,
    goOn: () => decide('whole'),
    breakOff: () => decide('broken'),
    /** When the browser has left. */
    left: () => closed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
