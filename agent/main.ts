import packageJson from '../package.json' with { type: 'json' };
import { makeModem } from './make-modem.ts';
import { runAgent } from './run-agent.ts';
import { listSerialPorts } from './serial/serial-line.ts';
import { readSettings } from './settings.ts';
import { SettingsFault } from './settings-fault.ts';

const say = (line: string): void => void process.stdout.write(`agent: ${line}\n`);
/** One sentence for what a person can fix; the whole error for what only we can. */
const complain = (error: unknown): void => {
  const said = error instanceof SettingsFault ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`agent: ${said}\n`);
};

/** Lets what is in a modem end, up to this. */
const CLOSE_MS = 100_000;

const run = async (): Promise<void> => {
  let close: (() => Promise<void>) | undefined;
  const stop = (): void => {
    setTimeout(() => process.exit(1), CLOSE_MS).unref();
    void (close?.() ?? Promise.resolve()).then(() => process.exit());
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const settings = readSettings(process.argv.slice(2));
  if (settings.modems.length === 0) {
    const ports = await listSerialPorts();
    throw new SettingsFault(
      `Say which modems it has, such as --modem sim-1=serial:/dev/ttyUSB0. Serial ports of this machine: ${ports.join(', ') || 'none'}.`,
    );
  }
  ({ close } = await runAgent({
    ...settings,
    version: packageJson.version,
    makeModem,
    log: say,
    onEnd: (sentence) => {
      complain(sentence);
      process.exit(1);
    },
  }));
};

run().catch((error: unknown) => {
  complain(error);
  process.exit(1);
});
