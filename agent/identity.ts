import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const stored = z.object({
  agentId: z.uuid(),
  secret: z.string(),
  joined: z.boolean(),
  createdAt: z.iso.datetime(),
});

/** Who this agent is to the server. Its secret never leaves this file but for the server. */
export interface Identity {
  agentId: string;
  secret: string;
  /** Messages that arrived before the agent was set up are left alone. */
  createdAt: Date;
  /** Whether the server has welcomed it: then it needs no key any more. */
  joined: () => boolean;
  join: () => void;
}

const SECRET_BYTES = 32;

export const openIdentity = (folder: string): Identity => {
  const path = join(folder, 'identity.json');
  const keep = (identity: z.infer<typeof stored>): void => {
    writeFileSync(`${path}.next`, JSON.stringify(identity), { mode: 0o600, flush: true });
    renameSync(`${path}.next`, path);
  };
  let identity = existsSync(path) ? stored.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  if (!identity) {
    identity = {
      agentId: randomUUID(),
      secret: randomBytes(SECRET_BYTES).toString('base64url'),
      joined: false,
      createdAt: new Date().toISOString(),
    };
    keep(identity);
  }
  const { agentId, secret, createdAt } = identity;
  let { joined } = identity;
  return {
    agentId,
    secret,
    createdAt: new Date(createdAt),
    joined: () => joined,
    join: () => {
      if (joined) return;
      joined = true;
      keep({ agentId, secret, joined, createdAt });
    },
  };
};
