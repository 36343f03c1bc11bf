import { readConfig } from './config.ts';
import { sayFault } from './ground/terminal/index.ts';
import { serveQuery } from './start/query.ts';

/**
 * The query service as the program starts it: it tells its address over the channel, and ends with the program, however
 * that ends.
 */
const ending = new AsyncDisposableStack();
let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await ending.disposeAsync();
  process.exit(0);
};
process.once('disconnect', stop);
process.on('SIGTERM', stop);
// The program has ended before this line was reached.
if (process.connected === false) process.exit(0);

try {
  const config = readConfig(['--roles', 'query']);
  const { url } = await serveQuery({
    config,
    port: config.QUERY_PORT ?? 0,
    say: () => {},
    ending,
    ofProgram: true,
    isStopping: () => stopping,
  });
  process.send?.({ url });
} catch (error) {
  if (!stopping) {
    sayFault(error);
    await ending.disposeAsync();
    process.exit(1);
  }
}
