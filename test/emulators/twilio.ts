import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Asked, type Reaction, startHttpServer } from './http-server.ts';
import { type Fault, faultOf, type TwilioAccount } from './twilio-validation.ts';

export type { TwilioAccount } from './twilio-validation.ts';

/** How Twilio may fail a caller, besides by its documented errors. */
export type Trouble = 'rate-limited' | 'broken' | 'silent' | 'hang-up' | 'no-json';

interface Taken {
  sid: string;
  to: string;
  from: string;
  body: string;
  statusCallback: string | undefined;
  status: string;
  created: Date;
}

const refuse = ({ status, code, message }: Fault): Answer => ({
  status,
  body: JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }),
});

/** In the signature's order: the address, then each field's name and value, sorted by name. */
const signatureOf = (token: string, url: string, fields: Record<string, string>): string => {
  let told = url;
  for (const name of Object.keys(fields).sort()) told += name + fields[name];
  return createHmac('sha1', token).update(Buffer.from(told, 'utf-8')).digest('base64');
};

/** How often and after what the fragment of a callback's address asks Twilio to retry. */
const patienceOf = (callback: string) => {
  const asked = new URLSearchParams(new URL(callback).hash.slice(1));
  return { times: Number(asked.get('rc') ?? 1), policy: (asked.get('rp') ?? 'ct').split(',') };
};

/**
 * Twilio's Messages resource, as documented: it accepts what the documentation allows, with the magic numbers of its
 * test credentials (twilio.com/docs/iam/test-credentials), and calls back with its signature.
 */
export const startTwilio = async (account: TwilioAccount) => {
  const taken = new Map<string, Taken>();
  const troubles = new Map<string, Trouble>();
  let calls = 0;

  const take = (fields: URLSearchParams): Taken => {
    const message: Taken = {
      sid: `SM${randomBytes(16).toString('hex')}`,
      to: fields.get('To') ?? '',
      from: fields.get('From') ?? '',
      body: fields.get('Body') ?? '',
      statusCallback: fields.get('StatusCallback') ?? undefined,
      status: 'queued',
      created: new Date(),
    };
    taken.set(message.sid, message);
    return message;
  };

  /** The newest first, as the resource lists them. */
  const list = (filter: URLSearchParams): Answer => ({
    status: 200,
    body: JSON.stringify({
      messages: [...taken.values()]
        .filter(({ to }) => to === filter.get('To'))
        .reverse()
        .map(({ sid, to, from, body, status, created }) => ({
          sid,
          to,
          from,
          body,
          status,
          error_code: status === 'undelivered' ? 30_005 : null,
          date_created: created.toUTCString(),
        })),
    }),
  });

  const answer = ({ method, path, query, headers, body }: Asked): Reaction => {
    calls += 1;
    const fields = new URLSearchParams(
      headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? body : '',
    );
    const fault = faultOf(account, { method, path, authorization: headers.authorization, fields });
    if (fault) return refuse(fault);
    if (method === 'GET') return list(query);
    const trouble = troubles.get(fields.get('To') ?? '');
    if (trouble === 'rate-limited') return refuse({ status: 429, code: 20429, message: 'Too Many Requests' });
    if (trouble === 'no-json') return { status: 403, type: 'text/html', body: '<h1>Forbidden</h1>' };
    const message = take(fields);
    if (trouble === 'silent') return 'silence';
    if (trouble === 'hang-up') return 'hang-up';
    if (trouble === 'broken') return { status: 500, body: '{"status":500,"message":"Internal"}' };
    return {
      status: 201,
      body: JSON.stringify({
        sid: message.sid,
        account_sid: account.sid,
        api_version: '2010-04-01',
        to: message.to,
        from: message.from || null,
        messaging_service_sid: fields.get('MessagingServiceSid'),
        body: message.body,
        status: fields.has('MessagingServiceSid') ? 'accepted' : 'queued',
        direction: 'outbound-api',
        num_segments: '1',
        num_media: '0',
        error_code: null,
        error_message: null,
        date_created: new Date().toUTCString(),
        uri: `/2010-04-01/Accounts/${account.sid}/Messages/${message.sid}.json`,
      }),
    };
  };
  const server = await startHttpServer(answer);

  const post = async (callback: string, fields: Record<string, string>): Promise<number> => {
    const { times, policy } = patienceOf(callback);
    // The fragment is for Twilio: it is neither sent nor signed.
    const url = callback.replace(/#.*/s, '');
    const send = async (): Promise<number> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signatureOf(account.token, url, fields) },
        body: new URLSearchParams(fields),
      });
      return response.status;
    };
    for (let tried = 0; ; tried += 1) {
      const status = await send();
      if (status < 500 || tried >= times || !policy.some((on) => on === '5xx' || on === 'all')) return status;
      await sleep(50);
    }
  };

  const report = async (sid: string, status: string, errorCode?: number): Promise<number | undefined> => {
    const message = taken.get(sid);
    if (!message) throw new Error(`Twilio has no message ${sid}`);
    message.status = status;
    if (!message.statusCallback) return undefined;
    return post(message.statusCallback, {
      AccountSid: account.sid,
      ApiVersion: '2010-04-01',
      From: message.from,
      To: message.to,
      MessageSid: sid,
      MessageStatus: status,
      SmsSid: sid,
      SmsStatus: status,
      ...(errorCode && { ErrorCode: String(errorCode) }),
    });
  };

  return {
    url: server.url,
    stop: server.stop,
    start: server.start,
    close: server.close,
    calls: () => calls,
    all: () => [...taken.values()],
    trouble: (to: string, kind: Trouble) => void troubles.set(to, kind),
    report,
    /** Somebody writes to one of the account's numbers. */
    write: (inboundUrl: string, message: { from: string; to: string; text: string }) => {
      const sid = `SM${randomBytes(16).toString('hex')}`;
      return post(inboundUrl, {
        AccountSid: account.sid,
        ApiVersion: '2010-04-01',
        Body: message.text,
        From: message.from,
        To: message.to,
        MessageSid: sid,
        SmsMessageSid: sid,
        SmsSid: sid,
        SmsStatus: 'received',
        NumMedia: '0',
        NumSegments: '1',
      });
    },
  };
};
export type Twilio = Awaited<ReturnType<typeof startTwilio>>;
