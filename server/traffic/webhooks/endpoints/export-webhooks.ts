import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { listEvents } from '../events/event-store.ts';
import { eventView } from '../views.ts';
import { readEndpoint } from './endpoint-store.ts';

const PAGE = 500;

/** The endpoint without its secrets, and the events that are still listed, newest first, as pieces of one JSON text. */
export async function* webhooksJson(db: Db, accountId: AccountId): AsyncGenerator<string> {
  const endpoint = await readEndpoint(db, accountId);
  const facts = endpoint && {
    url: endpoint.url,
    eventsPerCall: endpoint.eventsPerCall,
    failures: endpoint.failures,
    failingSince: endpoint.failingSince,
    goneAt: endpoint.goneAt,
  };
  yield `{\n  "endpoint": ${JSON.stringify(facts ?? null)},\n  "events": [`;
  let separator = '\n    ';
  for (let before: EventId | undefined; ; ) {
    const page = await listEvents(db, { accountId, timeZone: 'UTC', before }, PAGE);
    for (const row of page) {
      yield separator + JSON.stringify(eventView(row));
      separator = ',\n    ';
    }
    before = page.at(-1)?.id;
    if (!before || page.length < PAGE) break;
  }
  yield '\n  ]\n}\n';
}
