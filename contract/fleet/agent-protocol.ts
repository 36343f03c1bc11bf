import { z } from 'zod';

/**
 * What an agent and the server say to each other: one JSON object a text frame of a WebSocket that the agent opens.
 *
 * Nothing that counts is lost or doubled when the line or either end dies:
 * - `result`, `receipt` and `incoming` are on the agent's disk until an `ack` names them, and are repeated on every new
 *   connection, and when no ack came within AGENT_REPEAT_MS, in rounds of at most 1,000. The server stores before it
 *   acknowledges, and takes repeats. What it can't hold at the moment it leaves out.
 * - `send` is repeated until `taken` or `result` names it. The agent notes a hand-over on its disk before it says
 *   `taken`, and notes that it begins before the modem gets it. It does a hand-over once, however often it is asked for,
 *   and remembers its id at least until the hand-over's `until` has passed.
 * - After a crash of the agent, what was begun and has no noted outcome is reported as `unknown`.
 */
export const AGENT_PROTOCOL = 1;
/** Below the address of the server. */
export const AGENT_PATH = '/api/agents/connect';
/** Larger frames end the connection. */
export const MAX_FRAME_BYTES = 256 * 1024;
/** The first frame is `hello` and comes within this. */
export const HELLO_WITHIN_MS = 5_000;
/**
 * The server pings so often and sends a frame, an `ack` of nothing if there is nothing else: some clients don't see
 * pings. Who hears nothing for SILENT_MS takes the line for cut and closes it.
 */
export const PING_EVERY_MS = 10_000;
export const SILENT_MS = 30_000;
/** What was not acknowledged is said again after this. */
export const AGENT_REPEAT_MS = 10_000;

const MOST_MODEMS = 256;
/** A hello that names so many may leave out others. */
export const MOST_HELD = 2_000;
const MOST_ACKED = 2_000;

/** As the server stores it: PostgreSQL's smallint. */
const MOST_ATTEMPTS = 32_767;

/** Of a hand-over: the message's id (a UUID), a dot, and its attempt. A message that is handed over again has another. */
export const handOverId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d{1,9}$/)
  .refine((id) => Number(id.split('.')[1]) <= MOST_ATTEMPTS, 'an attempt is at most 32767')
  .brand<'HandOverId'>();
export type HandOverId = z.infer<typeof handOverId>;

/** The agent's own, unique for ever among its frames of this kind: a UUID, or a hash of what came in. */
const ownId = z.string().regex(/^[\w.-]{8,64}$/);
/** The agent's name of a modem, the same at every start. */
const modemName = z.string().regex(/^[\w.-]{1,40}$/);
const imsi = z.string().regex(/^\d{5,15}$/);
/** E.164 with its plus sign. */
const number = z.string().regex(/^\+[1-9]\d{4,14}$/);
const moment = z.iso.datetime();
/** What people read, and what the server can store: no control characters. */
const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text);
const shortText = z.string().max(200);
const title = (most: number) => z.string().min(1).max(most).refine(isPlain, 'a control character');

const modem = z.strictObject({
  name: modemName,
  driver: z.enum(['serial', 'gammu', 'android']),
  /** Its phone of the inventory is found by the IMSI, otherwise by the number, otherwise it is made. */
  imsi: imsi.optional(),
  number: number.optional(),
});

/**
 * The agent chooses its id and its secret (32 random bytes) before it joins, so that a welcome that is lost costs
 * nothing: it says all three again. After the first welcome it leaves out the key.
 */
export const hello = z.strictObject({
  type: z.literal('hello'),
  protocol: z.literal(AGENT_PROTOCOL),
  agentId: z.uuid(),
  secret: z.string().regex(/^[\w-]{43,100}$/),
  /** The one-time key, as long as no welcome has come. */
  key: z.string().max(100).optional(),
  /** How people call it: the host's name. */
  name: title(60),
  version: title(40),
  modems: z.array(modem).max(MOST_MODEMS),
  /**
   * Hand-overs on its disk whose result was not acknowledged, with or without one. It was never given others whose
   * result the server does not have: they are asked for again, or withdrawn once their `until` has passed.
   */
  holds: z.array(handOverId).max(MOST_HELD),
});

/** Of all modems, every `heartbeatSeconds` and when one changes. What is not given stays as it was. */
export const heartbeat = z.strictObject({
  type: z.literal('heartbeat'),
  modems: z
    .array(
      modem.extend({
        /** Whether it can send now; a modem that does not answer or has no network can't. */
        up: z.boolean(),
        reason: shortText.optional(),
        /** 0 to 100. */
        signal: z.int().min(0).max(100).optional(),
        network: shortText.optional(),
        /** In the SIM's currency, such as 48.50. */
        balance: z
          .string()
          .regex(/^\d{1,9}(\.\d{1,6})?$/)
          .optional(),
        /** YYYY-MM-DD: the last day on which the SIM works. */
        validUntil: z.iso.date().optional(),
      }),
    )
    .max(MOST_MODEMS),
});

/** The hand-over is on the agent's disk. */
export const taken = z.strictObject({ type: z.literal('taken'), id: handOverId });

/**
 * What came of a hand-over. `sent`: the network accepted every part. `refused`: certainly nothing was sent. `unknown`:
 * nobody can tell, or only some of the parts were sent.
 */
export const result = z.strictObject({
  type: z.literal('result'),
  id: handOverId,
  modem: modemName,
  outcome: z.enum(['sent', 'refused', 'unknown']),
  /** The network's references, one a part, in order. */
  references: z.array(z.string().max(100)).max(255),
  /** Such as CMS-38, BUSY, NO_NETWORK; EXPIRED: it was not begun before its `until`. */
  code: z.string().max(40),
  reason: shortText,
  /** Of a refusal: whether another attempt may succeed, here or elsewhere. */
  retryable: z.boolean(),
  at: moment,
});

/**
 * One for a message, not for a part: the agent matches the parts by their references. `delivered` when all parts were,
 * `failed` as soon as one was not.
 */
export const receipt = z.strictObject({
  type: z.literal('receipt'),
  id: ownId,
  modem: modemName,
  handOverId,
  state: z.enum(['delivered', 'failed', 'enroute']),
  code: z.string().max(40),
  at: moment,
});

/** A message that came in, its parts put together. */
export const incoming = z.strictObject({
  type: z.literal('incoming'),
  id: ownId,
  modem: modemName,
  /** Of the SIM that was in the modem when it came: there may be another by the time it is told. */
  imsi: imsi.optional(),
  /** A number, or a name such as that of a bank. */
  from: z.string().min(1).max(40),
  text: z.string().max(20_000),
  at: moment,
});

export const agentFrame = z.discriminatedUnion('type', [hello, heartbeat, taken, result, receipt, incoming]);
export type AgentFrame = z.infer<typeof agentFrame>;
export type Hello = z.infer<typeof hello>;
export type Heartbeat = z.infer<typeof heartbeat>;
export type HandOverResult = z.infer<typeof result>;
export type AgentReceipt = z.infer<typeof receipt>;
export type AgentIncoming = z.infer<typeof incoming>;

/** What an operator may change while the agent runs. */
export const agentSettings = z.strictObject({
  heartbeatSeconds: z.int().min(1).max(120),
  /** USSD code that answers with the balance and validity, such as *101#; none: it is not asked for. */
  balanceCode: z
    .string()
    .regex(/^[*#\d]{2,20}$/)
    .optional(),
  balanceEveryMinutes: z.int().min(5).max(10_080).optional(),
});
export type AgentSettings = z.infer<typeof agentSettings>;

/** The answer to `hello`: the agent is known by its id and secret from now on. */
export const welcome = z.strictObject({
  type: z.literal('welcome'),
  agentId: z.uuid(),
  /** The server's clock: the agent reckons every `until` by it. */
  now: moment,
  settings: agentSettings,
});

/** The agent may not join; the connection ends. Unless `retry`, it needs another key, so it stops and says so. */
export const refused = z.strictObject({
  type: z.literal('refused'),
  code: z.enum(['KEY', 'SECRET', 'PROTOCOL', 'REMOVED', 'BUSY']),
  reason: shortText,
  retry: z.boolean(),
});

/** A message to send. One at a time for each modem. */
export const send = z.strictObject({
  type: z.literal('send'),
  id: handOverId,
  modem: modemName,
  recipient: number,
  text: z.string().max(20_000),
  /** How long the network may try to deliver it. */
  validityMinutes: z.int().min(5).max(10_080),
  receipt: z.boolean(),
  /** By the server's clock: it is not begun after this, but refused as EXPIRED. */
  until: moment,
});

/** New settings, in place of those before. */
export const settings = z.strictObject({ type: z.literal('settings'), settings: agentSettings });

/** These are stored: the agent may forget them, except that it remembers hand-overs until their `until`. */
export const ack = z.strictObject({
  type: z.literal('ack'),
  results: z.array(handOverId).max(MOST_ACKED),
  receipts: z.array(ownId).max(MOST_ACKED),
  incoming: z.array(ownId).max(MOST_ACKED),
});

export const serverFrame = z.discriminatedUnion('type', [welcome, refused, send, settings, ack]);
export type ServerFrame = z.infer<typeof serverFrame>;
export type Welcome = z.infer<typeof welcome>;
export type AgentSend = z.infer<typeof send>;
export type Ack = z.infer<typeof ack>;
