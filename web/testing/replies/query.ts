import { id, type Replies } from './reply.ts';

export const EMPTY_QUERY: Replies = {
  'GET /qf/zones': { zones: [] },
  'GET /qf/standing': { lingering: [], withheldUntil: null },
  'GET /qf/withheld': { turns: [] },
};

export const FULL_QUERY: Replies = {
  'GET /qf/standing': { lingering: [], withheldUntil: null },
  'GET /qf/withheld': {
    turns: [{ accountId: id(8), email: 'ann@example.com', until: '2026-11-01T11:00:00.000Z' }],
  },
  'GET /qf/zones': {
    zones: [
      { id: 1, name: 'HK', engine: 'postgres' },
      { id: 11, name: 'Oversea QA', engine: 'mysql' },
    ],
  },
  'POST /qf/sql_database': { data: ['merchant_hk'], msg: '', success: true },
  'POST /qf/sql_tables': {
    data: [{ name: 'merchant', columns: [{ name: 'id', type: 'text' }] }],
    msg: '',
    success: true,
  },
  'GET /qf/bookmarks': {
    bookmarks: [
      {
        id: '1',
        query: 'select 1',
        database: 'merchant_hk',
        zone_id: 1,
        shared: true,
        own: false,
        owner: 'ann@example.com',
      },
    ],
  },
  'GET /qf/history': {
    queries: [
      {
        id: id(9),
        zone_id: 1,
        database: 'merchant_hk',
        sql: 'select count(*) from merchant',
        outcome: 'done',
        rows: 1,
        elapsed_ms: 12,
        createdAt: '2026-11-01T10:00:00.000Z',
      },
    ],
  },
};
