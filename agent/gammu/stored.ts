import { createHash } from 'node:crypto';
import type { ModemEvents } from '../modems/modem.ts';
import type { openGammu } from './gammu-program.ts';
import { concatenationIn, type GammuMessage, momentIn, numberIn, readGammuMessage } from './read-message.ts';

interface StoredOptions {
  gammu: ReturnType<typeof openGammu>;
  events: () => ModemEvents | undefined;
}

/** What lies in the modem's store. */
export const openStored = ({ gammu, events }: StoredOptions) => {
  const take = (message: GammuMessage, place: string): string | undefined => {
    const { kind, fields, text } = message;
    const from = numberIn(fields.get('Remote number'));
    const at = momentIn(fields.get(kind === 'report' ? 'SMSC response' : 'Sent'));
    if (kind === 'report') {
      const said = fields.get('Delivery status') ?? '';
      const states: Record<string, 'delivered' | 'failed'> = { Delivered: 'delivered', Failed: 'failed' };
      events()?.report({
        reference: fields.get('Reference number') ?? '',
        recipient: from,
        state: states[said] ?? 'enroute',
        code: said,
        at,
      });
      return undefined;
    }
    // Not its state, which changes when it is read.
    const lasting = [...fields].filter(([name]) => name !== 'Status');
    const key = createHash('sha256')
      .update([place, ...lasting.flat(), text].join('\n'))
      .digest('hex')
      .slice(0, 32);
    const concatenation = concatenationIn(fields.get('User Data Header') ?? fields.get('Linked'));
    events()?.arrived({ key, from, text, at, concatenation });
    return key;
  };
  /** What was printed is noted, and only then deleted in the modem. */
  const readStore = async (locations: number[]): Promise<void> => {
    if (locations.length === 0) return;
    const { printed } = await gammu.batch(locations.map((location) => `getsms 0 ${location}`));
    const taken = printed.flatMap((output, at) => {
      const message = readGammuMessage(output);
      const location = locations[at];
      return message && location !== undefined ? [{ location, key: take(message, String(location)) }] : [];
    });
    const { failure } = await gammu.batch(taken.map(({ location }) => `deletesms 0 ${location}`));
    if (!failure) for (const { key } of taken) if (key) events()?.deleted(key);
  };
  return { read: readStore };
};
