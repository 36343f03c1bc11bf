import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { agentSettings } from './agent-protocol.ts';
import { phoneId } from './phones.ts';

export const agentId = z.uuid().brand<'AgentId'>();
export type AgentId = z.infer<typeof agentId>;

const ok = z.strictObject({ status: z.literal('ok') });

const modem = z.strictObject({
  name: z.string(),
  driver: z.enum(['serial', 'gammu', 'android']),
  up: z.boolean(),
  reason: z.string(),
  signal: z.int().nullable().meta({ description: '0 to 100.' }),
  network: z.string(),
  phoneId: phoneId.nullable(),
  phoneName: z.string().meta({ description: 'The phone of the inventory whose SIM it has.' }),
  moved: z
    .strictObject({ phoneName: z.string(), agentName: z.string(), since: z.iso.datetime() })
    .nullable()
    .meta({
      description:
        'The phone of another agent whose SIM it says to have; it sends nothing until that is confirmed.',
    }),
  sending: z.boolean().meta({ description: 'Whether SMS is switched on for that phone.' }),
});

const agent = z.strictObject({
  _id: agentId,
  name: z.string(),
  version: z.string(),
  joinedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable(),
  connected: z.boolean(),
  settings: agentSettings,
  modems: z.array(modem),
});
export type Agent = z.infer<typeof agent>;

export const agentCalls = defineCalls({
  'GET /admin/agents': {
    summary: 'The programs beside modems, with their phones (admin)',
    reply: z.strictObject({ agents: z.array(agent) }),
  },
  'POST /admin/agentKeys': {
    summary: 'Make a key by which one agent can join, once (admin)',
    reply: z.strictObject({
      key: z.string().meta({ description: 'Never shown again.' }),
      expiresAt: z.iso.datetime(),
      server: z.string().meta({ description: 'The address that the agent connects to.' }),
    }),
  },
  'PUT /admin/agents/:agentId': {
    summary: "Change an agent's settings (admin)",
    params: z.strictObject({ agentId }),
    body: agentSettings,
    reply: ok,
  },
  'POST /admin/agents/:agentId/movedSim': {
    summary: 'Confirm that the SIM of another agent is in this modem now: its phone sends from here (admin)',
    params: z.strictObject({ agentId }),
    body: z.strictObject({ modem: z.string().min(1).max(40) }),
    reply: ok,
  },
  'DELETE /admin/agents/:agentId': {
    summary: 'Remove an agent: it can not connect any more, and its phones are DOWN (admin)',
    params: z.strictObject({ agentId }),
    reply: ok,
  },
});
