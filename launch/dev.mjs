import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { createLogger, createServer } from 'vite';
import { ROOT } from './root.mjs';

const DEBOUNCE_MS = 150;
const host = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 3000);

const freePort = async () => {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port: free } = socket.address();
  socket.close();
  await once(socket, 'close');
  return free;
};

/** What the server answers itself. */
const PROXIED = [
  '^/api(/|\\?|$)',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/unsubscribe/',
  '^/jobs(/|\\?|$)',
];

/** While the server restarts the browser's calls fail, which is expected. */
const logger = createLogger('warn', { allowClearScreen: false });
const { error: logError } = logger;
logger.error = (message, options) => {
  if (!message.includes('proxy error')) logError(message, options);
};

const serverPort = await freePort();
const behind = `http://127.0.0.1:${serverPort}`;
const vite = await createServer({
  configFile: join(ROOT, 'vite.config.ts'),
  customLogger: logger,
  clearScreen: false,
  server: {
    host,
    port,
    strictPort: true,
    proxy: Object.fromEntries(PROXIED.map((path) => [path, behind])),
  },
});
try {
  await vite.listen();
} catch (error) {
  process.stderr.write(`posthorn: ${error.message}: set PORT to another one.\n`);
  process.exit(1);
}

// The server uses Vite's address as its own, so that the printed address and the links in mails point there.
const env = {
  PUBLIC_URL: `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`,
  ...process.env,
  HOST: '127.0.0.1',
  PORT: String(serverPort),
};
let server;
const startServer = () => {
  server = spawn(process.execPath, [join(ROOT, 'server/main.ts'), ...process.argv.slice(2)], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    // In its own process group: a Ctrl-C reaches it once, from here.
    detached: true,
  });
};
const stopServer = async () => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const over = once(server, 'exit');
  server.kill('SIGTERM');
  await over;
};

let ending = false;
let turn = Promise.resolve();
let timer;
const restartSoon = (_event, name) => {
  if (ending || /\.test\.ts$/.test(name ?? '')) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    turn = turn.then(async () => {
      if (ending) return;
      process.stdout.write('posthorn: the server has changed and starts again\n');
      await stopServer();
      if (!ending) startServer();
    });
  }, DEBOUNCE_MS);
};

const end = async () => {
  if (ending) return;
  ending = true;
  await turn;
  await Promise.all([vite.close(), stopServer()]);
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
process.on('exit', () => server?.kill('SIGTERM'));

startServer();
for (const folder of ['server', 'contract']) watch(join(ROOT, folder), { recursive: true }, restartSoon);
