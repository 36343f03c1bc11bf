import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import {
  type AgentSettings,
  agentSettings,
  type Hello,
  MOST_HELD,
  type ServerFrame,
  type Welcome,
} from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { connectAgent, insertAgent, insertKey, lockAgent, takeKey } from './agent-store.ts';
import type { AgentConnection, AgentsDeps } from './agents-deps.ts';
import { takeBackHandOvers } from './hand-over-store.ts';
import { takeModems } from './link-modems.ts';
import { notifyAgents } from './notice-store.ts';

const KEY_SECONDS = 15 * 60;

/** What an operator has not set is as usual. */
export const withDefaults = (settings: object): AgentSettings =>
  agentSettings.parse({ heartbeatSeconds: 20, ...settings });

const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A key by which one agent can join within a quarter of an hour. Only its hash is stored. */
export const makeKey = async (
  { db }: Pick<AgentsDeps, 'db'>,
  madeBy: AccountId,
): Promise<{ key: string; expiresAt: Date }> => {
  const key = randomBytes(24).toString('base64url');
  const expiresAt = await insertKey(db, { keyHash: hash(key), madeBy, lifetimeSeconds: KEY_SECONDS });
  return { key, expiresAt };
};

type Refusal = Extract<ServerFrame, { type: 'refused' }>;
const refusal = (code: Refusal['code'], reason: string, retry = false): Refusal => ({
  type: 'refused',
  code,
  reason,
  retry,
});

/** Why it may not join; undefined if it may. */
const judge = async (trx: Db, { agentId, secret, key, ...rest }: Hello): Promise<Refusal | undefined> => {
  const known = await lockAgent(trx, agentId as AgentId);
  const secretHash = hash(secret);
  if (known?.removed) return refusal('REMOVED', 'This agent was removed. Make a new key to join again.');
  if (known)
    return timingSafeEqual(known.secretHash, secretHash)
      ? undefined
      : refusal('SECRET', 'The secret is not that of this agent.');
  const added = { agentId: agentId as AgentId, secretHash, name: rest.name, version: rest.version };
  if (key !== undefined) await insertAgent(trx, added);
  return key !== undefined && (await takeKey(trx, hash(key), added.agentId))
    ? undefined
    : refusal('KEY', 'The key is wrong, was used, or is older than 15 minutes.');
};

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(why: Refusal) {
    super(why.reason);
    this.refusal = why;
  }
}

/**
 * Lets an agent in that knows its secret or has a key. From then on its older connection does not count, and the agent
 * takes nothing more from it.
 */
export const join = async (
  deps: AgentsDeps,
  hello: Hello,
  address: string,
): Promise<Refusal | { welcome: Welcome; connection: AgentConnection }> => {
  const agentId = hello.agentId as AgentId;
  const connectionId = randomUUID();
  try {
    await deps.limits.consume('agent-join-address', address);
    const { settings, now } = await deps.db.transaction().execute(async (trx) => {
      const refused = await judge(trx, hello);
      if (refused) throw new Refused(refused);
      const connected = await connectAgent(trx, { ...hello, agentId, connectionId });
      if (hello.holds.length < MOST_HELD) await takeBackHandOvers(trx, agentId, hello.holds);
      await takeModems(deps, trx, { agentId, name: hello.name }, hello.modems);
      await notifyAgents(trx, [
        { kind: 'changed', agentId },
        { kind: 'state', agentId },
      ]);
      return connected;
    });
    await deps.limits.giveBack('agent-join-address', address);
    return {
      connection: { agentId, connectionId },
      welcome: {
        type: 'welcome',
        agentId: hello.agentId,
        now: now.toISOString(),
        settings: withDefaults(settings),
      },
    };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    if (error instanceof DomainError && error.code === 'E_TOO_MANY_REQUESTS')
      return refusal('BUSY', 'Too many attempts to join. Try again later.', true);
    throw error;
  }
};
