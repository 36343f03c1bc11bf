import { DomainError } from '../../ground/domain-error.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { readLanes } from '../lanes/index.ts';
import type { Send } from './send.ts';
import type { SendingDeps } from './sending-deps.ts';

/** A message by one lane, from the admin's own account and at its price; by a simulator it is free. */
export const adminTestRoutes = ({ db, send }: Pick<SendingDeps, 'db'> & { send: Send }): CallerRoutes => ({
  'POST /admin/lanes/:laneId/test': async ({ caller, params: { laneId }, body, changed }) => {
    const lane = (await readLanes(db)).find(({ id }) => id === laneId);
    // A customer's own number is not the operator's to send from.
    if (!lane || lane.device !== null) throw new DomainError('E_NOT_FOUND');
    // Routing would only say that the channel has no lane.
    if (lane.mode !== 'on') throw new DomainError('E_LANE_NOT_ON');
    const { _id } = await send({
      sender: { accountId: caller.accountId, test: lane.simulated },
      channel: lane.channel,
      wanted: { recipientRaw: body.phone, message: body.message },
      idempotencyKey: undefined,
      laneId,
    });
    changed({ after: { message: _id } });
    return { _id };
  },
});
