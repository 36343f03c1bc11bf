import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './program.ts';

const run = promisify(execFile);
const READY_MS = 60_000;

interface Tools {
  /** Checks whether the machine can run it. */
  probe: string[];
  send: { file: string; command: string[] };
  many: { file: string; command: string[] };
  /** Served at PORT; {port} stands for it if the command itself must name it. */
  verify: { file: string; command: string[] };
}

/** How each language's samples are run; the comment at their head says the same. */
export const TOOLS: Record<string, Tools> = {
  cURL: {
    probe: ['curl', '--version'],
    send: { file: 'send.sh', command: ['sh', 'send.sh'] },
    many: { file: 'many.sh', command: ['sh', 'many.sh'] },
    verify: { file: 'verify.sh', command: ['sh', 'verify.sh'] },
  },
  'Node.js': {
    probe: [process.execPath, '--version'],
    send: { file: 'send.mjs', command: [process.execPath, 'send.mjs'] },
    many: { file: 'many.mjs', command: [process.execPath, 'many.mjs'] },
    verify: { file: 'webhook.mjs', command: [process.execPath, 'webhook.mjs'] },
  },
  Python: {
    probe: ['python3', '--version'],
    send: { file: 'send.py', command: ['python3', 'send.py'] },
    many: { file: 'many.py', command: ['python3', 'many.py'] },
    verify: { file: 'webhook.py', command: ['python3', 'webhook.py'] },
  },
  PHP: {
    probe: ['php', '--version'],
    send: { file: 'send.php', command: ['php', 'send.php'] },
    many: { file: 'many.php', command: ['php', 'many.php'] },
    verify: { file: 'webhook.php', command: ['php', '-S', '127.0.0.1:{port}', 'webhook.php'] },
  },
  Go: {
    probe: ['go', 'version'],
    send: { file: 'send.go', command: ['go', 'run', 'send.go'] },
    many: { file: 'many.go', command: ['go', 'run', 'many.go'] },
    verify: { file: 'webhook.go', command: ['go', 'run', 'webhook.go'] },
  },
  Java: {
    probe: ['java', '-version'],
    send: { file: 'Send.java', command: ['java', 'Send.java'] },
    many: { file: 'Many.java', command: ['java', 'Many.java'] },
    verify: { file: 'Webhook.java', command: ['java', 'Webhook.java'] },
  },
  'C#': {
    probe: ['dotnet', '--version'],
    send: { file: 'Program.cs', command: ['dotnet', 'run', '--'] },
    many: { file: 'Program.cs', command: ['dotnet', 'run', '--'] },
    verify: { file: 'Program.cs', command: ['dotnet', 'run'] },
  },
};

export const canRun = async ({ probe: [file = '', ...args] }: Tools): Promise<boolean> =>
  run(file, args).then(
    () => true,
    () => false,
  );

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>net8.0</TargetFramework><RollForward>Major</RollForward></PropertyGroup></Project>`;

const lay = async (folder: string, file: string, code: string): Promise<void> => {
  await writeFile(join(folder, file), code);
  if (file.endsWith('.cs')) await writeFile(join(folder, 'sample.csproj'), PROJECT);
};

/** Runs a program that ends by itself; returns what it prints, also if it fails. */
export const runSample = async (
  folder: string,
  { file, command: [program = '', ...args] }: Tools['send'],
  { code, arguments: given }: { code: string; arguments: string[] },
): Promise<{ code: number; stdout: string; stderr: string }> => {
  await lay(folder, file, code);
  return run(program, [...args, ...given], { cwd: folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
};

/** The headers and the body of a webhook, signed according to Standard Webhooks. */
export const signedWebhook = (secret: string, body: string, at = new Date()) => {
  const id = `msg_${Math.round(at.getTime())}`;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      // Receivers may get several while a secret is being replaced.
      'webhook-signature': `v1,AAAA v1,${signature}`,
    },
  };
};
type Webhook = ReturnType<typeof signedWebhook>;

const isUp = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  );

/** Runs a receiver, lets `use` post webhooks to it, and ends it. */
export const withReceiver = async (
  folder: string,
  { file, command }: Tools['verify'],
  code: string,
  use: (accepts: (webhook: Webhook) => Promise<boolean>) => Promise<void>,
): Promise<void> => {
  await lay(folder, file, code);
  const port = await freePort();
  const [program = '', ...args] = command.map((part) => part.replace('{port}', String(port)));
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
    // The processes that `go run` and `dotnet run` start are ended with them.
    detached: true,
  });
  const url = `http://localhost:${port}/`;
  try {
    const end = Date.now() + READY_MS;
    while (!(await isUp(url))) {
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`${command.join(' ')} does not serve.`);
      await sleep(100);
    }
    await use(async ({ headers, body }) => {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      if (status !== 204 && status !== 401) throw new Error(`The receiver answered ${status}.`);
      return status === 204;
    });
  } finally {
    if (child.pid && child.exitCode === null) {
      process.kill(-child.pid, 'SIGKILL');
      await once(child, 'exit');
    }
  }
};
