import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents, Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { readHeaderMailbox } from './address.ts';
import { smtpRefused } from './answers.ts';
import { type BounceReceiver, openBounceReceiver } from './bounce-receiver.ts';
import { type Composed, openComposer } from './compose.ts';
import { composeInTurn } from './compose-in-turn.ts';
import type { DkimKey } from './dkim.ts';
import { openLetterQueue } from './letter-queue.ts';
import { openPool } from './pool.ts';
import type { RelayOptions } from './relay-options.ts';

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
const POLL_MS = 5;
const UNHEARD: CarrierEvents = { receipt: async () => {}, inbound: async () => {}, state: () => {} };
const AWAY = smtpRefused('NOT_CONNECTED', 'There is no connection to the mail server.', true);

/** Whether a peer has one of the addresses of this host. */
const isAtHost =
  (host: string) =>
  async (peer: string): Promise<boolean> => {
    const found = await lookup(host, { all: true }).catch(() => []);
    return found.some(({ address }) => address === peer.replace(/^::ffff:/i, ''));
  };

const composerOf = ({ from, fromDomains, dkim, bounces, unsubscribeUrl }: SmtpRelaySettings) => {
  const operator = readHeaderMailbox(from);
  if (!operator?.address || operator.address.utf8) throw new Error('the sender must be an email address');
  return openComposer({
    operator: { name: operator.name, address: operator.address, domains: fromDomains ?? [] },
    bounces,
    dkim: dkim ?? [],
    unsubscribeUrl,
  });
};

/**
 * A mail server that passes on what it is given. Its modes: `shut` until it is opened, `open`, and `closing` from when the
 * lane's host closes it; only while it is open does it take messages. Remembered: who hears of it, how many messages are
 * in our hands, and what was told last of the connections, which the pool keeps. What is composed waits in a queue until a
 * connection takes it, and goes back to its lane while there is none.
 */
export const smtpRelay = (settings: SmtpRelaySettings): Carrier => {
  const { relay, bounces } = settings;
  const compose = composeInTurn(composerOf(settings));
  const letters = openLetterQueue();
  let mode: 'shut' | 'open' | 'closing' = 'shut';
  const known = { events: UNHEARD, sending: 0, told: { up: false, reason: '' } };
  let receiver: BounceReceiver | undefined;

  const pool = openPool(relay, {
    next: letters.next,
    hasWork: () => !letters.isEmpty(),
    changed: (reason) => {
      const up = pool.isUp();
      if (!up) letters.giveBack(AWAY);
      // While it is down each new reason is reported, because it says what to repair.
      if (up === known.told.up && (up || reason === known.told.reason)) return;
      known.told = { up, reason };
      known.events.state(known.told);
    },
    back: (letter, reason) => {
      if (pool.isUp() && letters.putBack(letter)) return pool.wake();
      letter.settle(smtpRefused('NOT_CONNECTED', `The connection was lost: ${reason}.`, true));
    },
  });
  const isUp = (): boolean => mode === 'open' && pool.isUp();

  const post = (composed: Composed): Promise<SendOutcome> => {
    if (!pool.isUp()) return Promise.resolve(AWAY);
    return new Promise((settle) => {
      letters.push({ ...composed, settle });
      pool.wake();
    });
  };
  const send = async (message: Outgoing): Promise<SendOutcome> => {
    if (!isUp()) return AWAY;
    known.sending += 1;
    try {
      const composed = await compose(message);
      return 'outcome' in composed ? composed : await post(composed);
    } catch (error) {
      // Nothing has left yet.
      return smtpRefused('NOT_COMPOSED', (error as Error).message, true);
    } finally {
      known.sending -= 1;
    }
  };
  const open = async (heard: CarrierEvents): Promise<void> => {
    known.events = heard;
    if (bounces?.port !== undefined)
      receiver = await openBounceReceiver(
        { ...bounces, port: bounces.port, isRelay: isAtHost(relay.host) },
        (receipt) => heard.receipt(receipt),
      );
    if (mode === 'shut') mode = 'open';
    await pool.open();
  };
  const close = async (timeoutMs: number): Promise<void> => {
    mode = 'closing';
    const until = performance.now() + timeoutMs;
    while (known.sending > 0 && performance.now() < until) await sleep(POLL_MS);
    letters.giveBack(AWAY);
    await Promise.all([pool.close(), receiver?.close(Math.max(0, until - performance.now()))]);
  };
  const window = relay.connections * A_CONNECTION;
  return { provider: 'smtp', channel: 'email', simulated: false, window, open, isUp, send, close };
};
