import {
  CONNECTIONS,
  type Dkim,
  newDkim,
  openNodemailer,
  openPosthorn,
  runRound,
  type Sender,
  type Sink,
  startSink,
} from './email-rounds.ts';

/** Four per connection are in our window; nodemailer's pool gets the same. */
const AT_ONCE = CONNECTIONS * 4;

interface Pair {
  posthornPerSecond: number;
  nodemailerPerSecond: number;
  ratio: number;
  posthornCpuMicros: number;
  nodemailerCpuMicros: number;
}

interface EmailMeasure extends Pair {
  /** Each round's ratio, in the order measured. */
  ratios: number[];
  signed: Record<'rsa' | 'ed25519', { posthornPerSecond: number; nodemailerPerSecond: number | undefined }>;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Ours gets more messages, so that its rounds don't end before they can be timed. */
const QUICKER = 5;

type Name = 'posthorn' | 'nodemailer';

/** Interleaved rounds of both, the first of which only warms up. */
const interleave = async (
  sink: Sink,
  senders: Partial<Record<Name, Sender>>,
  { rounds, messages }: { rounds: number; messages: number },
) => {
  const counts: Record<Name, number> = { posthorn: messages * QUICKER, nodemailer: messages };
  const found: Record<Name, { perSecond: number; cpuMicros: number }[]> = { posthorn: [], nodemailer: [] };
  for (let round = 0; round <= rounds; round += 1)
    for (const name of round % 2
      ? (['posthorn', 'nodemailer'] as const)
      : (['nodemailer', 'posthorn'] as const)) {
      const sender = senders[name];
      const figure = sender && (await runRound(sender, sink, { messages: counts[name], atOnce: AT_ONCE }));
      if (figure && round > 0) found[name].push(figure);
    }
  return found;
};

const measureSigned = async (sink: Sink, dkim: Dkim, options: { rounds: number; messages: number }) => {
  // nodemailer signs with RSA only.
  const isRsa = dkim.key.asymmetricKeyType === 'rsa';
  const senders = {
    posthorn: await openPosthorn(sink.url, dkim),
    ...(isRsa && { nodemailer: await openNodemailer(sink.url, dkim) }),
  };
  const found = await interleave(sink, senders, options);
  for (const sender of Object.values(senders)) await sender.close();
  return {
    posthornPerSecond: median(found.posthorn.map(({ perSecond }) => perSecond)),
    nodemailerPerSecond: isRsa ? median(found.nodemailer.map(({ perSecond }) => perSecond)) : undefined,
  };
};

/**
 * Messages of about a kilobyte, from handover to the server's acceptance: our carrier and nodemailer's pool against the
 * same sink, with the same number of connections and of messages in flight.
 */
export const measureEmail = async ({ quick = false }: { quick?: boolean } = {}): Promise<EmailMeasure> => {
  const sink = await startSink();
  try {
    const senders = { posthorn: await openPosthorn(sink.url), nodemailer: await openNodemailer(sink.url) };
    const options = quick ? { rounds: 1, messages: 50 } : { rounds: 7, messages: 4_000 };
    const { posthorn, nodemailer } = await interleave(sink, senders, options);
    for (const sender of Object.values(senders)) await sender.close();
    const ratios = posthorn.map(({ perSecond }, at) => perSecond / (nodemailer[at]?.perSecond ?? 1));
    const fewer = quick ? { rounds: 1, messages: 20 } : { rounds: 3, messages: 2_000 };
    return {
      posthornPerSecond: median(posthorn.map(({ perSecond }) => perSecond)),
      nodemailerPerSecond: median(nodemailer.map(({ perSecond }) => perSecond)),
      ratio: median(ratios),
      ratios,
      posthornCpuMicros: median(posthorn.map(({ cpuMicros }) => cpuMicros)),
      nodemailerCpuMicros: median(nodemailer.map(({ cpuMicros }) => cpuMicros)),
      signed: {
        rsa: await measureSigned(sink, newDkim('rsa'), fewer),
        ed25519: await measureSigned(sink, newDkim('ed25519'), fewer),
      },
    };
  } finally {
    await sink.close();
  }
};
