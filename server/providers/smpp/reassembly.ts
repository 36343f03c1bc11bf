import { setTimeout as sleep } from 'node:timers/promises';
import { type Concatenation, type DecodedContent, decodeOctets } from './codec/decode-content.ts';
import { openRecentMap } from './recent-map.ts';

export interface PartOf {
  from: string;
  to: string;
  content: DecodedContent;
  part: Concatenation;
}

export interface Whole {
  from: string;
  to: string;
  text: string;
}

interface Reassembly {
  /** Resolves once the part may be acknowledged. */
  add: (one: PartOf) => Promise<void>;
  /** Gives up waiting for what is older than the limit, or for everything. */
  sweep: (all?: boolean) => Promise<void>;
}

interface Group {
  from: string;
  to: string;
  contents: (DecodedContent | undefined)[];
  begunAt: number;
  storing: Promise<void> | undefined;
  stored: PromiseWithResolvers<void>;
}

/** Replaces a part that never arrived. */
const GAP = '…';
const MAX_GROUPS = 10_000;
const REMEMBERED = 1_000;

const newDeferred = (): PromiseWithResolvers<void> => {
  const deferred = Promise.withResolvers<void>();
  // It is also rejected when nobody waits for it any more.
  deferred.promise.catch(() => {});
  return deferred;
};

const newGroup = ({ from, to, part }: PartOf): Group => ({
  from,
  to,
  contents: Array.from({ length: part.total }, () => undefined),
  begunAt: performance.now(),
  storing: undefined,
  stored: newDeferred(),
});

const textOf = (contents: (DecodedContent | undefined)[]): string => {
  const [first] = contents;
  const whole = contents.every(
    (content) => content !== undefined && content.dataCoding === first?.dataCoding,
  );
  // Together, since some cut a character in half.
  if (whole && first)
    return decodeOctets(
      Buffer.concat(contents.map((content) => content?.octets ?? first.octets)),
      first.dataCoding,
    );
  return contents
    .map((content) => (content ? decodeOctets(content.octets, content.dataCoding) : GAP))
    .join('');
};

/**
 * Reassembles the parts of incoming messages. A part is acknowledged once the whole is stored; but a message centre
 * that sends one at a time would wait forever, so after `holdMs` the part is kept in memory and acknowledged.
 */
export const openReassembly = ({
  store,
  limitMs,
  holdMs,
}: {
  store: (whole: Whole) => Promise<void>;
  limitMs: number;
  holdMs: number;
}): Reassembly => {
  const groups = new Map<string, Group>();
  /** A part whose acknowledgement was lost arrives again after the whole is stored. */
  const finished = openRecentMap<Group>(REMEMBERED);

  const finish = (key: string, group: Group): Promise<void> => {
    group.storing ??= store({ from: group.from, to: group.to, text: textOf(group.contents) }).then(
      () => {
        groups.delete(key);
        finished.set(key, group);
        group.stored.resolve();
      },
      (error: unknown) => {
        group.storing = undefined;
        group.stored.reject(error);
        group.stored = newDeferred();
        throw error;
      },
    );
    return group.storing;
  };

  const isRepeat = (key: string, { content, part }: PartOf): boolean => {
    const group = finished.get(key);
    return (
      group !== undefined &&
      performance.now() - group.begunAt < limitMs &&
      (group.contents[part.number - 1]?.octets.equals(content.octets) ?? false)
    );
  };

  return {
    add: async (one) => {
      const { reference, total, number } = one.part;
      const key = [one.from, one.to, reference, total].join(' ');
      if (!groups.has(key) && isRepeat(key, one)) return;
      if (!groups.has(key) && groups.size >= MAX_GROUPS) throw new Error('too many unfinished messages');
      const group = groups.get(key) ?? newGroup(one);
      groups.set(key, group);
      group.contents[number - 1] = one.content;
      if (group.contents.every((content) => content !== undefined)) return finish(key, group);
      await Promise.race([group.stored.promise, sleep(holdMs, undefined, { ref: false })]);
    },
    sweep: async (all = false) => {
      const oldest = performance.now() - limitMs;
      const due = [...groups].filter(([, { begunAt }]) => all || begunAt < oldest);
      await Promise.allSettled(due.map(([key, group]) => finish(key, group)));
    },
  };
};
