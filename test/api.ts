import type { Body, CallName, Reply } from '../contract/calls.ts';
import { MAILBOX_TOKEN_HEADER } from '../contract/ground/constants.ts';
import type { ErrorReply } from '../contract/ground/errors.ts';

interface Answer<N extends CallName> {
  status: number;
  reply: Reply<N>;
  error: ErrorReply;
}

/** Opens the mailbox of every program that the tests start. */
export const MAILBOX_TOKEN = 'the-mailbox-of-the-tests';

interface CallOptions<N extends CallName> {
  body?: Body<N>;
  token?: string;
  /** Fills the parameters of the path. */
  params?: Record<string, string>;
}

/** A call of the contract to a running program, over the network like any other client's. */
export const callApi = async <N extends CallName>(
  url: string,
  name: N,
  { body, token, params = {} }: CallOptions<N> = {},
): Promise<Answer<N>> => {
  const [method, path = ''] = name.split(' ');
  const answer = await fetch(`${url}/api${path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? '')}`, {
    method,
    headers: {
      [MAILBOX_TOKEN_HEADER]: MAILBOX_TOKEN,
      ...(token && { authorization: token }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = await answer.json();
  return { status: answer.status, reply: content, error: content };
};

/** The token of the link in the newest mail to this address, once it has arrived. */
export const mailedToken = async (url: string, to: string, timeoutMs = 20_000): Promise<string> => {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    const { reply } = await callApi(url, 'GET /mailbox');
    const mail = reply.mails.find((one) => one.to.includes(to));
    if (mail) {
      const { reply: whole } = await callApi(url, 'GET /mailbox/:mailId', { params: { mailId: mail._id } });
      const token = /[?&]token=([\w-]+)/.exec(whole.text)?.[1];
      if (!token) throw new Error(`The mail to ${to} has no link with a token.`);
      return token;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail to ${to} arrived.`);
};
