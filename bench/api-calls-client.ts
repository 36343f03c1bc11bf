import { Agent, request } from 'node:http';

export interface Round {
  port: number;
  secrets: string[];
  concurrency: number;
  durationMs: number;
}

export interface Sent {
  sent: number;
  perSecond: number;
}

const body = JSON.stringify({ phone: '+85261110000', message: 'hello from the benchmark' });

const sendOne = (agent: Agent, port: number, secret: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/sms/send',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
        );
      },
    );
    call.once('error', reject);
    call.end(body);
  });

/** Sends as fast as it is answered, for this long, and returns how many calls there were. */
process.on('message', async ({ port, secrets, concurrency, durationMs }: Round) => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const end = performance.now() + durationMs;
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (performance.now() < end) {
      sent += 1;
      await sendOne(agent, port, secrets[sent % secrets.length] ?? '');
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: concurrency }, sender));
  agent.destroy();
  const answer: Sent = { sent, perSecond: sent / ((performance.now() - begun) / 1000) };
  process.send?.(answer);
});
process.send?.('ready');
