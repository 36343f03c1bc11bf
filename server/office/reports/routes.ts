import { noticesOf, readPhones, smsHealth } from '../../fleet/phones/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { readLanes } from '../../traffic/lanes/index.ts';
import { countWaitingIn } from '../../traffic/outbox/index.ts';
import { reportDays } from './report-days.ts';
import { readGroups, readStatusCounts } from './store.ts';
import { viewGroups, viewHours, viewStatusRows } from './view-reports.ts';

const MOST_WAITING = 10_000;

export const adminReportRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /report/device': async ({ query: { skipNotice } }) => {
    const phones = await readPhones(db);
    return {
      at: new Date().toISOString(),
      devices: phones.map((phone) => ({
        _id: phone._id,
        phoneName: phone.name,
        state: smsHealth(phone),
        lastHeartbeatAt: phone.lastHeartbeatAt,
        sentToday: phone.usage.sentToday,
      })),
      ...((!skipNotice || skipNotice === 'false') && { notices: phones.flatMap(noticesOf) }),
    };
  },
  'GET /report/status': async ({ query }) => {
    const { date, until, spans } = reportDays(query.date);
    const counts = await readStatusCounts(db, spans);
    return {
      date,
      until,
      at: new Date().toISOString(),
      rows: viewStatusRows(counts),
      hours: viewHours(counts, spans[0]),
    };
  },
  'GET /report/advance': async ({ query }) => {
    const { date, until, spans } = reportDays(query.date);
    const groups = await readGroups(db, spans);
    return { date, until, at: new Date().toISOString(), ...viewGroups(groups) };
  },
  'GET /whatsapp-agent/arena': async () => {
    const lanes = (await readLanes(db)).filter(
      ({ channel, device }) => channel === 'whatsapp' && device === null,
    );
    const waiting = await countWaitingIn(
      db,
      lanes.map(({ id }) => id),
      MOST_WAITING,
      { suspended: true },
    );
    return {
      queues: lanes.map(({ id, name, phone, mode, up }) => ({
        name,
        phoneName: phone?.name ?? '',
        mode,
        up,
        waiting: waiting.get(id) ?? 0,
      })),
    };
  },
});
