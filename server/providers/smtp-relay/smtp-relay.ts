import { lookup } from 'node:dns/promises';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { readMailbox } from './address.ts';
import { refused } from './answers.ts';
import { type BounceReceiver, openBounceReceiver } from './bounce-receiver.ts';
import { type Composed, openComposer } from './compose.ts';
import type { DkimKey } from './dkim.ts';
import { openPool } from './pool.ts';
import type { RelayOptions } from './relay-options.ts';
import type { Letter } from './session.ts';

export interface SmtpRelaySettings {
  relay: RelayOptions;
  /** `Name <address>` of the operator. */
  from: string;
  /** Domains whose addresses anybody may send from. */
  fromDomains?: readonly string[];
  dkim?: readonly DkimKey[];
  /** Where undeliverable mail comes back; without a port another server has to receive it. */
  bounces?: { domain: string; key: Buffer; host: string; port: number | undefined } | undefined;
  unsubscribeUrl?: ((message: Outgoing) => string) | undefined;
}

/** Messages per connection: one is being answered, one has its envelope sent, the others are composed and wait. */
const A_CONNECTION = 4;
/** How often a message whose connection was lost before its content goes to another one. */
const MOST_RETURNS = 2;
const POLL_MS = 5;
/** Characters. */
const LONG_TEXT = 20_000;
const UNHEARD: CarrierEvents = { receipt: async () => {}, inbound: async () => {}, state: () => {} };
const AWAY = refused('NOT_CONNECTED', 'There is no connection to the mail server.', true);

/** Whether a peer has one of the addresses of this host. */
const isAtHost =
  (host: string) =>
  async (peer: string): Promise<boolean> => {
    const found = await lookup(host, { all: true }).catch(() => []);
    return found.some(({ address }) => address === peer.replace(/^::ffff:/i, ''));
  };

/** A mail server that passes on what it is given. */
export const smtpRelay = (settings: SmtpRelaySettings): Carrier => {
  const { relay, bounces } = settings;
  const operator = readMailbox(settings.from);
  if (!operator?.address || operator.address.utf8) throw new Error('the sender must be an email address');
  const compose = openComposer({
    operator: { name: operator.name, address: operator.address, domains: settings.fromDomains ?? [] },
    bounces,
    dkim: settings.dkim ?? [],
    unsubscribeUrl: settings.unsubscribeUrl,
  });
  let waiting: Letter[] = [];
  const returns = new WeakMap<Letter, number>();
  let events = UNHEARD;
  let receiver: BounceReceiver | undefined;
  let opened = false;
  let closing = false;
  let sending = 0;
  let told = { up: false, reason: '' };

  const giveBack = () => {
    const back = waiting;
    waiting = [];
    for (const { settle } of back) settle(AWAY);
  };
  const changed = (reason: string) => {
    const up = pool.isUp();
    if (!up) giveBack();
    // While it is down each new reason is reported, because it says what to repair.
    if (up === told.up && (up || reason === told.reason)) return;
    told = { up, reason };
    events.state(told);
  };
  const pool = openPool(relay, {
    next: () => waiting.shift(),
    hasWork: () => waiting.length > 0,
    changed,
    back: (letter, reason) => {
      const times = (returns.get(letter) ?? 0) + 1;
      returns.set(letter, times);
      if (times > MOST_RETURNS || !pool.isUp())
        return letter.settle(refused('NOT_CONNECTED', `The connection was lost: ${reason}.`, true));
      waiting.unshift(letter);
      pool.wake();
    },
  });
  const isUp = (): boolean => opened && !closing && pool.isUp();

  const post = (composed: Composed): Promise<SendOutcome> => {
    if (!pool.isUp()) return Promise.resolve(AWAY);
    return new Promise((settle) => {
      waiting.push({ ...composed, settle });
      pool.wake();
    });
  };
  /** Encoding and signing a long one takes milliseconds: one after another, and others get their turn in between. */
  let turn: Promise<unknown> = Promise.resolve();
  const composeInTurn = (message: Outgoing): ReturnType<typeof compose> => {
    if (message.text.length + (message.html?.length ?? 0) < LONG_TEXT) return compose(message);
    const composed = turn.then(() => setImmediate()).then(() => compose(message));
    turn = composed.catch(() => {});
    return composed as Promise<Composed>;
  };
  const send = async (message: Outgoing): Promise<SendOutcome> => {
    if (!isUp()) return AWAY;
    sending += 1;
    try {
      const composed = await composeInTurn(message);
      return 'outcome' in composed ? composed : await post(composed);
    } catch (error) {
      // Nothing has left yet.
      return refused('NOT_COMPOSED', (error as Error).message, true);
    } finally {
      sending -= 1;
    }
  };

  return {
    provider: 'smtp',
    channel: 'email',
    simulated: false,
    window: relay.connections * A_CONNECTION,
    open: async (heard) => {
      events = heard;
      if (bounces?.port !== undefined)
        receiver = await openBounceReceiver(
          { ...bounces, port: bounces.port, isRelay: isAtHost(relay.host) },
          (receipt) => events.receipt(receipt),
        );
      opened = true;
      await pool.open();
    },
    isUp,
    send,
    close: async (timeoutMs) => {
      closing = true;
      const until = performance.now() + timeoutMs;
      while (sending > 0 && performance.now() < until) await sleep(POLL_MS);
      giveBack();
      await Promise.all([pool.close(), receiver?.close(Math.max(0, until - performance.now()))]);
    },
  };
};
