import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { OpenHttpClient } from '../../ground/http-client/index.ts';
import type { Asker } from './ask.ts';

/** Says to the service who asks. */
export const ASKER_HEADER = 'x-posthorn-account';
/** And by which entry of the audit log. */
export const ENTRY_HEADER = 'x-posthorn-entry';

const CONNECT_MS = 2_000;
/** Longer than any query may take: it may be run once more, and each of its runs has to be seen to end. */
const ANSWER_MS = 60_000;
/** More than the service's largest answer with all that JSON adds to it. */
const LARGEST_ANSWER = 64_000_000;

export interface QueryLink {
  /** One action of the service; its answer is the one of the contract. */
  ask: (action: string, body: object, who: Asker & { accountId: AccountId }) => Promise<unknown>;
  close: () => void;
}

interface QueryLinkOptions {
  /** Where the service is just now; undefined if it is not running. */
  url: () => Promise<string | undefined>;
  key: string;
  openHttpClient: OpenHttpClient;
}

/** The web role's way to the query service. */
export const openQueryLink = ({ url, key, openHttpClient }: QueryLinkOptions): QueryLink => {
  const client = openHttpClient({
    connectMs: CONNECT_MS,
    answerMs: ANSWER_MS,
    largestAnswer: LARGEST_ANSWER,
  });
  const ask: QueryLink['ask'] = async (action, body, who) => {
    const base = await url();
    if (!base) throw new DomainError('E_QUERY_UNAVAILABLE');
    const answer = await client.call({
      method: 'POST',
      url: `${base}/${action}`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'accept-language': who.language === 'zh_HK' ? 'zh-HK' : 'en-US',
        [ASKER_HEADER]: who.accountId,
        ...(who.entryId !== undefined && { [ENTRY_HEADER]: who.entryId }),
      },
      body: JSON.stringify(body),
      // The service then cancels the query: nobody waits for it any more.
      signal: who.hungUp,
    });
    if (answer.kind !== 'answered' || answer.status !== 200) throw new DomainError('E_QUERY_UNAVAILABLE');
    return JSON.parse(answer.body);
  };
  return { ask, close: client.close };
};
