import type { Query } from '../../../../contract/calls.ts';
import { DEFAULT_TIME_ZONE } from '../../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../../contract/ground/money.ts';
import { findContact, readEmails } from '../../../customer/accounts/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { momentOf } from '../../../ground/local-time/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Caller, CallerRoutes } from '../../../ground/route/index.ts';
import { sayReason } from '../../../ground/translations/index.ts';
import {
  countInDoubt,
  type DoubtFilter,
  type DoubtfulMessage,
  listDoubtfulLanes,
  listInDoubt,
} from './doubt-store.ts';
import { insertQuestions } from './question-store.ts';

type Asked = Omit<Query<'GET /admin/inDoubt'>, 'limit' | 'skip'>;

/** The minutes of a filter as moments, by the clocks of the admin who asks. */
export const readDoubtFilter = async (db: Db, caller: Caller, asked: Asked): Promise<DoubtFilter> => {
  const { laneId, from, to } = asked;
  const contact = await findContact(db, caller.accountId);
  const moment = (minute: string | undefined): string | undefined => {
    if (minute === undefined) return undefined;
    const found = momentOf(`${minute}:00`, contact?.timeZone ?? DEFAULT_TIME_ZONE);
    if (!found) throw new DomainError('E_INVALID_REQUEST', { reason: minute });
    return found.toISOString();
  };
  return { laneId, from: moment(from), to: moment(to) };
};

type Person = Pick<DoubtfulMessage, 'accountId' | 'recipient'>;

export interface NamedDeps {
  db: Db;
  /** What accounts call these people; empty without a name. */
  readNames: (db: Db, people: Person[]) => Promise<(person: Person) => string>;
}

export const adminDoubtRoutes = ({ db, readNames }: NamedDeps): CallerRoutes => ({
  'GET /admin/inDoubt': async ({ caller, query: { limit, skip, ...asked }, language }) => {
    const filter = await readDoubtFilter(db, caller, asked);
    const [messages, total, lanes] = await Promise.all([
      listInDoubt(db, filter, { limit, skip }),
      countInDoubt(db, filter),
      listDoubtfulLanes(db),
    ]);
    const emails = await readEmails(
      db,
      messages.map(({ accountId }) => accountId),
    );
    const nameOf = await readNames(db, messages);
    return {
      messages: messages.map(
        ({
          id,
          recipient,
          createdAt,
          claimedAt,
          since,
          priceMicros,
          askedAt,
          answeredAt,
          said,
          ...message
        }) => ({
          ...message,
          reason: sayReason(language, message.reason),
          _id: id,
          email: emails.get(message.accountId) ?? '',
          phone: recipient,
          contactName: nameOf({ accountId: message.accountId, recipient }),
          createdAt: createdAt.toISOString(),
          handedOverAt: claimedAt?.toISOString() ?? null,
          since: since.toISOString(),
          price: numberFromMicros(priceMicros),
          question: askedAt && {
            askedAt: askedAt.toISOString(),
            answeredAt: answeredAt?.toISOString() ?? null,
            said: said ?? '',
          },
        }),
      ),
      total,
      lanes: lanes.map(({ oldest, ...lane }) => ({ ...lane, oldest: oldest.toISOString() })),
    };
  },
  'POST /admin/inDoubt/ask': async ({ caller, body: { ids }, changed }) => {
    const asked = (await insertQuestions(db, ids, caller.accountId)).length;
    changed({ after: { asked } });
    return { asked };
  },
});
