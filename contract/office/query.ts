import { z } from 'zod';
import { accountId } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { QUERY_ROW_LIMIT } from './office-values.ts';

/** A query that asks for more than that gets so many rows, and is told so. */
export const QUERY_MOST_ROWS = 10_000;
export const QUERY_TIMEOUT_MS = 15_000;
export const DATABASE_LIST_TIMEOUT_MS = 5_000;
const MOST_CHARACTERS = 100_000;
export const MOST_BOOKMARKS = 500;
/** Of one bookmark, and of all that an admin keeps: the list has everybody's shared ones whole. */
export const MOST_BOOKMARK_CHARACTERS = 10_000;
export const MOST_BOOKMARKED_CHARACTERS = 250_000;

export const QUERY_ENGINES = ['postgres', 'mysql'] as const;
export type QueryEngineName = (typeof QUERY_ENGINES)[number];

/** How a query ended. 'refused': it never reached the database. */
export const QUERY_OUTCOMES = ['running', 'done', 'refused', 'failed', 'cancelled', 'timed_out'] as const;
export type QueryOutcome = (typeof QUERY_OUTCOMES)[number];

/** Why a statement never reaches the database. The label of its text is `query.refused.REASON`. */
export const QUERY_REFUSALS = [
  'empty',
  'many',
  'kind',
  'writes',
  'into',
  'locks',
  'function',
  'large',
  'secret',
  'private',
  'comment',
  'syntax',
  'unreadable',
  'unfinished',
  'unclosed',
  'deep',
] as const;
export type QueryRefusal = (typeof QUERY_REFUSALS)[number];

const zoneId = z.int().min(1).max(1_000_000);
const database = z.string().min(1).max(128);
const sql = z.string().max(MOST_CHARACTERS);

/** The specification's payload: the list of databases needs no more of it than the zone. */
export const databaseRequest = z.strictObject({
  zone_id: zoneId,
  database: z.string().max(128).optional(),
  sql: sql.optional(),
});
const runId = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional()
  .meta({
    description: 'A name for this run: a cancel that names it ends it even if the cancel comes first.',
  });
export const queryRequest = z.strictObject({ zone_id: zoneId, database, sql, run_id: runId });
export const tablesRequest = z.strictObject({ zone_id: zoneId, database });
export const merchantRequest = z.strictObject({
  zone_id: zoneId,
  database,
  term: z.string().trim().min(1).max(200),
});
export const cancelRequest = z.strictObject({ run_id: runId });

const columnSchema = z.strictObject({ name: z.string(), type: z.string() });
const cell = z.string().nullable();

const resultSchema = z.strictObject({
  columns: z.array(columnSchema),
  rows: z.array(z.array(cell)).meta({ description: "Each cell in the database's own words." }),
  limited: z.boolean().meta({ description: `A limit of ${QUERY_ROW_LIMIT} was added.` }),
  truncated: z.boolean().meta({ description: 'There was more than an answer may hold.' }),
  elapsed_ms: z.int(),
  again: z
    .boolean()
    .optional()
    .meta({ description: "Run once more, because the database was restarted to end another's statement." }),
});
export type QueryResult = z.infer<typeof resultSchema>;

const faultSchema = z.strictObject({
  outcome: z.enum(QUERY_OUTCOMES),
  position: z
    .int()
    .nullable()
    .meta({ description: 'Where in the SQL, in UTF-16 units from 0, if it is known.' }),
  since: z.iso.datetime().optional().meta({
    description: 'Of outcome running: its end was told, and it goes on in the database since then.',
  }),
});
export type QueryFault = z.infer<typeof faultSchema>;

const tableSchema = z.strictObject({ name: z.string(), columns: z.array(columnSchema) });
export type QueryTable = z.infer<typeof tableSchema>;

const recordSchema = z.record(z.string(), cell);
const merchantSchema = z.strictObject({
  merchant: recordSchema,
  profiles: z.array(recordSchema),
  relations: z.array(recordSchema),
  apps: z.array(recordSchema),
});
export type MerchantFound = z.infer<typeof merchantSchema>;

/** data, msg and success: a failure is an answer too, with its place in the SQL as data. */
const answerOf = <T extends z.ZodType>(data: T) =>
  z.discriminatedUnion('success', [
    z.strictObject({ data, msg: z.string(), success: z.literal(true) }),
    z.strictObject({ data: faultSchema.nullable(), msg: z.string(), success: z.literal(false) }),
  ]);

export const databaseAnswer = answerOf(z.array(z.string()));
export const queryAnswer = answerOf(resultSchema);
export const tablesAnswer = answerOf(z.array(tableSchema));
export const merchantAnswer = answerOf(z.array(merchantSchema));
export const cancelAnswer = answerOf(z.strictObject({ cancelled: z.boolean() }));
export type QueryAnswer = z.infer<typeof queryAnswer>;

const zoneSchema = z.strictObject({ id: z.int(), name: z.string(), engine: z.enum(QUERY_ENGINES) });
export type QueryZone = z.infer<typeof zoneSchema>;
export const zonesRequest = z.strictObject({});
export const zonesAnswer = z.strictObject({ zones: z.array(zoneSchema) });

const pastQuerySchema = z.strictObject({
  id: z.uuid(),
  zone_id: z.int(),
  database: z.string(),
  sql: z.string(),
  outcome: z.enum(QUERY_OUTCOMES),
  rows: z.int().nullable(),
  elapsed_ms: z.int().nullable(),
  createdAt: z.iso.datetime(),
});
export type PastQuery = z.infer<typeof pastQuerySchema>;

const standingSchema = z.strictObject({
  lingering: z.array(z.strictObject({ zone_id: z.int(), since: z.iso.datetime() })).meta({
    description:
      'Queries that go on in their database although their end was told: until then there is no turn.',
  }),
  withheldUntil: z.iso.datetime().nullable(),
});
export type QueryStanding = z.infer<typeof standingSchema>;

/** Who asks with the service's key has no account. */
export const SERVICE_KEY = 'key';
const withheldOf = z.union([accountId, z.literal(SERVICE_KEY)]);
const withheldSchema = z.strictObject({
  accountId: withheldOf,
  email: z.string().nullable(),
  until: z.iso.datetime(),
});
export type WithheldTurn = z.infer<typeof withheldSchema>;

/** The specification's bookmark: query, database and id, which is the time in milliseconds as text. */
const bookmarkId = z.string().regex(/^\d{1,20}$/);
const newBookmark = z.strictObject({
  query: sql,
  database: z.string().max(128),
  zone_id: zoneId,
  shared: z.boolean(),
});
const bookmarkSchema = newBookmark.extend({
  id: bookmarkId,
  own: z.boolean(),
  owner: z.string().meta({ description: "The owner's email address." }),
});
export type Bookmark = z.infer<typeof bookmarkSchema>;
const ok = z.strictObject({ status: z.literal('ok') });

export const queryCalls = defineCalls({
  'GET /qf/zones': {
    summary: 'The zones that may be asked (admin)',
    reply: zonesAnswer,
  },
  'POST /qf/sql_database': {
    summary: 'The databases of a zone (admin)',
    body: databaseRequest,
    reply: databaseAnswer,
  },
  'POST /qf/sql_query': {
    summary: 'Run one statement that reads (admin)',
    body: queryRequest,
    reply: queryAnswer,
  },
  'POST /qf/sql_tables': {
    summary: 'The tables of a database with their columns (admin)',
    body: tablesRequest,
    reply: tablesAnswer,
  },
  'POST /qf/sql_cancel': {
    summary: 'Cancel the query that the caller has running (admin)',
    body: cancelRequest,
    reply: cancelAnswer,
  },
  'POST /qf/merchants': {
    summary: 'Find merchants by id, name, email, phone, app or related merchant (admin)',
    body: merchantRequest,
    reply: merchantAnswer,
  },
  'GET /qf/standing': {
    summary: 'What stands in the way of the caller’s next query (admin)',
    reply: standingSchema,
  },
  'GET /qf/withheld': {
    summary: 'Who has no turn, because their queries had to be ended by force (owner)',
    reply: z.strictObject({ turns: z.array(withheldSchema) }),
  },
  'DELETE /qf/withheld/:accountId': {
    summary: 'Give an admin, or who asks with the service’s key, the turn back (owner)',
    params: z.strictObject({ accountId: withheldOf }),
    reply: ok,
  },
  'GET /qf/history': {
    summary: "The caller's latest queries (admin)",
    reply: z.strictObject({ queries: z.array(pastQuerySchema) }),
  },
  'GET /qf/bookmarks': {
    summary: "The caller's bookmarks, and those that other admins share (admin)",
    reply: z.strictObject({ bookmarks: z.array(bookmarkSchema) }),
  },
  'PUT /qf/bookmarks/:bookmarkId': {
    summary: `Keep a bookmark; at most ${MOST_BOOKMARKS} (admin)`,
    params: z.strictObject({ bookmarkId }),
    body: newBookmark.extend({
      query: sql.meta({
        description: `At most ${MOST_BOOKMARK_CHARACTERS} characters; all that an admin keeps, ${MOST_BOOKMARKED_CHARACTERS}.`,
      }),
      copy: z
        .boolean()
        .optional()
        .meta({ description: 'A browser’s copy: not taken over if the bookmark was deleted meanwhile.' }),
    }),
    reply: ok,
  },
  'DELETE /qf/bookmarks/:bookmarkId': {
    summary: "Delete one of the caller's bookmarks (admin)",
    params: z.strictObject({ bookmarkId }),
    reply: ok,
  },
  'DELETE /qf/bookmarks': {
    summary: "Delete all of the caller's bookmarks (admin)",
    reply: ok,
  },
});
