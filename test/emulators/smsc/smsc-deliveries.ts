import type { MessageFields } from '../../../server/providers/smpp/testing/codec.ts';
import { preciseNow } from './smsc-counts.ts';

/** Something for the client: a receipt or a message. It is sent until it is acknowledged. */
interface Delivery {
  fields: MessageFields;
  acknowledged: () => void;
  tries: number;
}

/** A bound connection that can carry deliveries. */
export interface Carriage {
  deliver: (sequence: number, fields: MessageFields) => void;
}

export interface Deliveries {
  add: (fields: MessageFields) => Promise<void>;
  /** Sends immediately on this connection, whatever waits. */
  addFirst: (carriage: Carriage, fields: MessageFields) => void;
  joined: (carriage: Carriage) => void;
  /** What it had not acknowledged goes to the other connections. */
  left: (carriage: Carriage) => void;
  answered: (carriage: Carriage, sequence: number, status: number) => void;
  counts: () => DeliveryCounts;
  /** Resets the counts. */
  reset: () => void;
}

export interface DeliveryCounts {
  waiting: number;
  acknowledged: number;
  sentAgain: number;
  /** When the last was acknowledged, in milliseconds since 1970. */
  acknowledgedAt: number;
}

const NOTHING = { acknowledged: 0, sentAgain: 0, acknowledgedAt: 0 };

export const openDeliveries = ({
  window,
  againMs,
}: {
  /** Unacknowledged deliveries per connection. */
  window: () => number;
  againMs: () => number;
}): Deliveries => {
  const waiting: Delivery[] = [];
  const outstanding = new Map<Carriage, Map<number, Delivery>>();
  const totals = { ...NOTHING };
  let sequence = 0;
  let head = 0;

  const hand = (carriage: Carriage, sent: Map<number, Delivery>, delivery: Delivery): void => {
    sequence = (sequence % 0x7fffffff) + 1;
    if (delivery.tries > 0) totals.sentAgain += 1;
    delivery.tries += 1;
    sent.set(sequence, delivery);
    carriage.deliver(sequence, delivery.fields);
  };
  const pump = (): void => {
    for (const [carriage, sent] of outstanding)
      while (sent.size < window() && head < waiting.length) hand(carriage, sent, waiting[head++] as Delivery);
    if (head < waiting.length && head < 10_000) return;
    waiting.splice(0, head);
    head = 0;
  };
  const queue = (delivery: Delivery): void => {
    waiting.push(delivery);
    pump();
  };
  return {
    add: (fields) => new Promise((acknowledged) => queue({ fields, acknowledged, tries: 0 })),
    addFirst: (carriage, fields) => {
      const sent = outstanding.get(carriage);
      if (sent) hand(carriage, sent, { fields, acknowledged: () => {}, tries: 0 });
    },
    joined: (carriage) => {
      outstanding.set(carriage, new Map());
      pump();
    },
    left: (carriage) => {
      const sent = outstanding.get(carriage);
      outstanding.delete(carriage);
      for (const delivery of sent?.values() ?? []) queue(delivery);
    },
    answered: (carriage, number, status) => {
      const sent = outstanding.get(carriage);
      const delivery = sent?.get(number);
      if (!sent || !delivery) return;
      sent.delete(number);
      if (status === 0) {
        totals.acknowledged += 1;
        totals.acknowledgedAt = preciseNow();
        delivery.acknowledged();
        pump();
      } else setTimeout(() => queue(delivery), againMs()).unref();
    },
    counts: () => ({ ...totals, waiting: waiting.length - head }),
    reset: () => {
      Object.assign(totals, NOTHING);
    },
  };
};
