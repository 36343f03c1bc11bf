import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callApi } from '../../test/api.ts';
import type { Program } from '../../test/program.ts';
import { type Customer, openPosthorn, type Posthorn } from '../posthorn.ts';
import { type EventSink, startEventSink } from '../webhooks/event-sink.ts';
import { type Centre, startCentre } from './centre.ts';
import { hasKannel, type Kannel, startKannel } from './kannel.ts';
import { WATCHED } from './sending-latency.ts';

export const WINDOW = 100;
const BIND_MS = 30_000;

/** How users start it: `npm start` has all roles in one process. */
export const FORMS = ['together', 'split'] as const;
export type Form = (typeof FORMS)[number];

/** Posthorn and Kannel, each with its own message centre of the same kind. */
export interface Stage {
  form: Form;
  kannel: { kannel: Kannel; centre: Centre; sink: EventSink } | undefined;
  posthorn: Posthorn;
  centre: Centre;
  /** Receives the events of the customers below, and nothing else. */
  sink: EventSink;
  url: string;
  port: number;
  web: Program;
  worker: Program;
  customer: Customer;
  /** Whose events go to the sink. */
  subscriber: Customer;
  /** Many concurrent senders. */
  customers: Customer[];
  close: () => Promise<void>;
}

interface StageOptions {
  form: Form;
  /** How many send singles concurrently, each from its own account. */
  customers: number;
  withKannel: boolean;
  /** For the message centre. */
  args?: string[];
}

/** As the customer does it on the page, at this path of the account. */
export const changeAccount = async (
  url: string,
  { email, password }: Customer,
  { path, body }: { path: 'setting' | 'webhook'; body: Record<string, string | number> },
): Promise<void> => {
  const { reply } = await callApi(url, 'POST /account/login', { body: { email, password } });
  const answer = await fetch(`${url}/api/account/${reply.accountId}/${path}`, {
    method: 'PUT',
    headers: { authorization: reply.token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the change was refused: ${await answer.text()}`);
};

/** Starts the program in this form, over a folder and a database that may have been used before. */
export const startForm = async (
  { posthorn, centre }: Pick<Stage, 'posthorn' | 'centre'>,
  form: Form,
): Promise<Pick<Stage, 'web' | 'worker' | 'url' | 'port'>> => {
  const env = { SMPP_URLS: centre.url({ binds: 1, window: WINDOW }) };
  const [worker, web] =
    form === 'together'
      ? await posthorn.start([], env).then((both) => [both, both] as const)
      : await Promise.all([posthorn.start(['worker'], env), posthorn.start(['web'], env)]);
  return { web, worker, url: web.url, port: Number(new URL(web.url).port) };
};

export const openStage = async ({ form, customers, withKannel, args }: StageOptions): Promise<Stage> => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-bench-'));
  await using opening = new AsyncDisposableStack();
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const openCentre = async (given: string[] = []): Promise<Centre> => {
    const centre = await startCentre(['--totals', ...given]);
    opening.defer(centre.kill);
    return centre;
  };
  const openSink = async (): Promise<EventSink> => {
    const sink = await startEventSink();
    opening.defer(sink.close);
    return sink;
  };
  const centre = await openCentre(args ?? ['--watch', WATCHED]);
  const sink = await openSink();
  const posthorn = await openPosthorn(folder);
  opening.defer(posthorn.close);
  const [customer, subscriber, ...others] = await posthorn.customers(customers + 2);
  if (!customer || !subscriber) throw new Error('nobody can send');
  const started = await startForm({ posthorn, centre }, form);
  await changeAccount(started.url, subscriber, { path: 'setting', body: { webhook: sink.url } });
  await centre.until(({ binds }) => binds > 0, BIND_MS);
  let kannel: Stage['kannel'];
  if (withKannel && hasKannel()) {
    const itsCentre = await openCentre();
    const itsSink = await openSink();
    const itself = await startKannel(folder, itsCentre.port);
    opening.defer(itself.stop);
    await itsCentre.until(({ binds }) => binds > 0, BIND_MS);
    kannel = { kannel: itself, centre: itsCentre, sink: itsSink };
  }
  const ending = opening.move();
  return {
    form,
    kannel,
    posthorn,
    centre,
    sink,
    ...started,
    customer,
    subscriber,
    customers: others,
    close: () => ending.disposeAsync(),
  };
};
