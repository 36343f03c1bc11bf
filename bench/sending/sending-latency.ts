import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, numberOf } from '../load/load-texts.ts';
import { preciseNow } from '../measuring/precise-now.ts';
import type { Customer } from '../posthorn.ts';
import type { Centre } from './centre.ts';

/** Numbers of the timed singles; no file contains them. */
export const WATCHED = '8525';
const PAUSE_MS = 50;
const PATIENCE_MS = 60_000;

interface Latency {
  medianMs: number;
  p99Ms: number;
}

const sendOne = (url: string, secret: string, number: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ secret, phone: `+${number}`, message: bodyOf(number) });
    const call = request(`${url}/api/sms/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    });
    call.once('error', reject);
    call.once('response', (answer) =>
      text(answer).then((whole) => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`a single message was answered with ${answer.statusCode}: ${whole}`));
      }, reject),
    );
    call.end(body);
  });

const untilArrived = async (centre: Centre, numbers: string[]): Promise<Record<string, number>> => {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const arrivals = await centre.arrivals();
    if (numbers.every((number) => arrivals[number] !== undefined)) return arrivals;
    if (Date.now() > end) throw new Error('single messages did not arrive');
  }
};

let sent = 0;

/** From the call to the message centre, one after the other. */
export const timeSingles = async (
  { centre, url, customer }: { centre: Centre; url: string; customer: Customer },
  count: number,
): Promise<Latency> => {
  const called = new Map<string, number>();
  for (let at = 0; at < count; at += 1) {
    const number = numberOf(`${WATCHED}1`, sent++);
    called.set(number, preciseNow());
    await sendOne(url, customer.secret, number);
    await sleep(PAUSE_MS);
  }
  const arrivals = await untilArrived(centre, [...called.keys()]);
  const waits = [...called].map(([number, at]) => (arrivals[number] ?? 0) - at).sort((a, b) => a - b);
  return {
    medianMs: waits[Math.floor(count * 0.5)] ?? 0,
    p99Ms: waits[Math.floor(count * 0.99)] ?? 0,
  };
};
