import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a server may take that runs statements of strangers. */
export interface Bounds {
  /** Of each of its processes; what they share, the programs' code and their libraries included. */
  addressSpaceBytes: number;
  /** On top of those that every server here has. */
  settings: Record<string, string>;
}

/**
 * A limit of address space, the first to be ended when memory runs short, and behind all others at the processor. What a
 * system doesn't have is left out: macOS has neither the limit nor the order of ends.
 */
const SCRIPT = `ulimit -v "$0" 2>/dev/null
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
command -v nice >/dev/null && exec nice -n 10 "$@"
exec "$@"`;

/** What is put before a command, so that it and all its children are bounded. Without a shell there is no bound. */
export const boundedBy = ({ addressSpaceBytes }: Bounds): Promise<string[]> =>
  execute('sh', ['-c', 'exit 0'], { cwd: '/' }).then(
    () => ['sh', '-c', SCRIPT, String(Math.round(addressSpaceBytes / 1024))],
    () => [],
  );
