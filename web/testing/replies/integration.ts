import type { Reply } from '../../../contract/calls.ts';
import { AT, id, type Replies } from './reply.ts';

export const event: Reply<'GET /account/:accountId/webhook/events'>['events'][number] = {
  _id: id(7),
  type: 'message.delivered',
  messageId: id(1),
  state: 'DELIVERED',
  attempts: 1,
  createdAt: AT,
  attemptedAt: AT,
  nextAt: null,
  answer: { status: 200, fault: '', body: 'thank you', milliseconds: 12 },
};

export const EMPTY_INTEGRATION: Replies = {
  'GET /account/:accountId/webhook': {
    url: '',
    eventsPerCall: 1,
    masked: false,
    secret: 'whsec_c2VjcmV0',
    previousUntil: null,
    failingSince: null,
    pausedUntil: null,
    goneAt: null,
  },
  'GET /account/:accountId/webhook/events': { events: [], more: false },
  'GET /account/:accountId/apiInfo': {
    masked: false,
    secret: 'the-secret',
    testSecret: 'the-test-secret',
    codes: { curl: 'curl', '': '' },
    manyCodes: { curl: 'curl' },
    webhookCodes: { curl: 'curl' },
    oldSecrets: [],
  },
  'GET /account/:accountId/apiCalls': { calls: [], more: false, total: 0 },
};

export const FULL_INTEGRATION: Replies = {
  'GET /account/:accountId/webhook/events': { events: [event], more: false },
  'GET /account/:accountId/apiCalls': {
    calls: [
      {
        _id: `${id(9)}.0`,
        at: AT,
        method: 'POST',
        path: '/api/sms/send',
        channel: 'sms',
        test: true,
        status: 400,
        code: 'E_PHONE_INVALID',
        durationMs: 3.2,
        requestId: 'req-1',
        answer: { code: 'E_PHONE_INVALID' },
      },
    ],
    more: false,
    total: 1,
  },
};
