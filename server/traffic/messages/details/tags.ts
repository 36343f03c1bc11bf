import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isDeviceId } from '../../../../contract/fleet/devices.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type LastLane, readLastLanes } from '../../lanes/index.ts';
import { countWaitingIn } from '../../outbox/index.ts';
import { openChooser, readLaneFacts } from '../../routing/index.ts';
import type { FoundMessage } from '../search/search-store.ts';
import { wordsOf } from './carrier-reason.ts';

/** Reasons that say that nobody can be reached there. */
const INVALID = ['E_INVALID_CONTACT', 'NO_SUCH_RECIPIENT', 'NOT_A_MOBILE', 'NOT_ON_WHATSAPP'];

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

const isInvalid = ({ status, errorCode }: FoundMessage): boolean =>
  status === 'FAILED' && INVALID.includes(wordsOf(errorCode) ?? errorCode);

/** Where routing would send those that wait, if it had to decide now. */
const predict = async (db: Db, waiting: FoundMessage[], last: ReadonlyMap<string, LastLane>) => {
  if (waiting.length === 0) return new Map<MessageId, string>();
  const chooser = openChooser(await readLaneFacts(db, countWaitingIn), { nowMs: Date.now() });
  return new Map(
    waiting.flatMap((found): [MessageId, string][] => {
      const { id, accountId, channel, recipient, sender, test } = found;
      const device = sender && isDeviceId(sender) ? sender : null;
      const country = parsePhoneNumberFromString(recipient)?.country ?? '';
      const [best] = chooser.explain({
        accountId,
        channel,
        country,
        test,
        device,
        last: last.get(recipient),
      });
      return best?.chosen ? [[id, best.phone?.phoneName ?? best.name]] : [];
    }),
  );
};

/** What admins are told of messages by tags: when a phone last wrote to this person, that nobody is there, what comes. */
export const readTags = async (db: Db, found: FoundMessage[]): Promise<Map<MessageId, string[]>> => {
  const sent = found.filter(({ type, channel }) => type === 'outgoing' && channel !== 'email');
  const last = await readLastLanes(
    db,
    sent.map(({ recipient }) => recipient),
  );
  const predicted = await predict(
    db,
    sent.filter(({ status }) => status === 'PENDING'),
    last,
  );
  return new Map(
    sent.map((one) => {
      const at = last.get(one.recipient)?.at;
      const next = predicted.get(one.id);
      return [
        one.id,
        [
          ...(at ? [`last_sent-${dayOf(at)}`] : []),
          ...(isInvalid(one) ? [`invalid_contact-${dayOf(one.updatedAt)}`] : []),
          ...(next ? [`predict-${next}`] : []),
        ],
      ];
    }),
  );
};
