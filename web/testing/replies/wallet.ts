import { ACCOUNT_ID, AT, id, type Replies } from './reply.ts';

const nothing = { total: 0, items: [] };

const month = '2026-03';

const idle = { messages: 0, spent: 0 };

export const EMPTY_WALLET: Replies = {
  'GET /account/:accountId/payments': { payments: [], more: false },
  'GET /account/:accountId/ledger': { entries: [], more: false },
  'GET /cards': {
    cards: [],
    topUp: { minimum: 6.41, maximum: 5_000, hkdPerUsd: 7.8 },
    provider: 'sandbox',
    publishableKey: '',
  },
  'GET /account/:accountId/billing': {
    date: month,
    usageInfo: { sms: nothing, email: nothing, whatsapp: nothing },
    billingTotal: 0,
  },
  'GET /account/:accountId/billingDates': { dates: [month] },
  'GET /account/:accountId/billing/days': {
    date: month,
    days: [{ date: '2026-03-01', sms: idle, email: idle, whatsapp: idle }],
  },
  'GET /account/:accountId/glance': { messages: 0, sent: 0, delivered: 0, failed: 0, spent: 0 },
  'GET /admin/payments': { payments: [], more: false },
};

export const FULL_WALLET: Replies = {
  'GET /account/:accountId/payments': {
    payments: [
      {
        _id: id(3),
        createdAt: AT,
        currency: 'HKD',
        amount: 156,
        amountUsd: 20,
        status: 'FAILED',
        type: 'TOP_UP',
        description: 'Visa 4242',
        reason: 'insufficient funds',
      },
    ],
    more: false,
  },
  'GET /account/:accountId/ledger': {
    entries: [
      { _id: '1', createdAt: AT, kind: 'ADJUSTMENT', amount: -4.5, balance: 25.5, description: 'goodwill' },
    ],
    more: false,
  },
  'GET /account/:accountId/billing': {
    date: month,
    usageInfo: {
      sms: {
        total: 0.064102,
        items: [
          {
            kind: 'usage',
            displayName: 'SMS to Hong Kong',
            unitPrice: 0.032051,
            unit: 'segment',
            units: 2,
            deviceId: null,
            total: 0.064102,
          },
        ],
      },
      email: nothing,
      whatsapp: nothing,
    },
    billingTotal: 0.064102,
  },
  'GET /account/:accountId/billing/days': {
    date: month,
    days: [{ date: '2026-03-04', sms: { messages: 2, spent: 0.064102 }, email: idle, whatsapp: idle }],
  },
  'GET /account/:accountId/glance': { messages: 3, sent: 2, delivered: 1, failed: 1, spent: 0.064102 },
  'GET /admin/payments': {
    payments: [
      {
        _id: id(31),
        createdAt: AT,
        currency: 'HKD',
        amount: 156,
        amountUsd: 20,
        status: 'SUCCESS',
        type: 'TOP_UP',
        description: 'Top-up by Visa',
        reason: '',
        accountId: ACCOUNT_ID,
        email: 'ann@example.com',
        card: { brand: 'visa', last4: '4242' },
        provider: 'stripe',
        providerId: 'pi_31',
        refunded: 39,
        left: 117,
      },
    ],
    more: false,
  },
};
