/**
 * Every command starts here: `node posthorn.mjs COMMAND [ARGUMENTS]`. Plain JavaScript for Node 20 without any package:
 * it installs the packages, builds the web pages, and runs the command's TypeScript on Node 24.
 */
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COMMANDS, checkArguments, helpIn } from './launch/commands.mjs';
import { Fault } from './launch/fault.mjs';
import { endWithStarter, isWantedNode, runOnWantedNode, silenceExperimental } from './launch/node.mjs';
import { ensurePackages } from './launch/packages.mjs';
import { ROOT } from './launch/root.mjs';
import { ensureWeb } from './launch/web-build.mjs';

const run = async ([name = '', ...args]) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const help = helpIn(name, args);
  if (help) {
    process.stdout.write(`${help}\n`);
    return;
  }
  if (!command) throw new Fault(`Say what to do: node posthorn.mjs ${Object.keys(COMMANDS).join('|')}.`);
  checkArguments(name, args);
  endWithStarter();
  await ensurePackages();
  if (!isWantedNode()) {
    process.exit(await runOnWantedNode(fileURLToPath(import.meta.url), [name, ...args]));
  }
  // Nearly halves the work of the next start, and that of the processes which this one starts.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  silenceExperimental();
  if (command.web) await ensureWeb();
  const script = join(ROOT, command.script);
  process.argv = [process.execPath, script, ...args];
  await import(pathToFileURL(script).href);
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`posthorn: ${error instanceof Fault ? error.message : error.stack}\n`);
  process.exit(1);
}
