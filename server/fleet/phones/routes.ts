import { isReleased } from '../../../contract/fleet/phone-rules.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { localTime } from '../../ground/local-time/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { listBalances } from './balance-store.ts';
import { addPhone, changePhone } from './change-phone.ts';
import type { PhonesDeps } from './phones-deps.ts';
import { listPhones } from './store.ts';
import { readDay } from './usage-store.ts';
import { hostsOf, slotsOf, usageOf, viewPhone } from './view-phones.ts';

const today = (): string => localTime(new Date(), DEFAULT_TIME_ZONE).slice(0, 10);

export const adminPhoneRoutes = (deps: PhonesDeps): CallerRoutes => ({
  'GET /phoneNumberInventory': async ({ query: { all } }) => {
    const listed = await listPhones(deps.db);
    const phones = all && all !== 'false' ? listed : listed.filter(({ remark }) => !isReleased(remark));
    const hosts = hostsOf(phones);
    return {
      phoneNumberInventory: phones.map(viewPhone),
      hostMap: Object.fromEntries(
        Object.entries(hosts).map(([host, at]) => [host, [...new Set(at.map(({ name }) => name))]]),
      ),
      hostMapv2: hosts,
    };
  },
  'GET /phoneNumberInventory/usage': async () => ({
    usage: Object.fromEntries((await listPhones(deps.db)).map((phone) => [phone.id, usageOf(phone)])),
  }),
  'GET /phoneNumberInventory/slot': async ({ query: { date = today() } }) =>
    slotsOf(await listPhones(deps.db), await readDay(deps.db, date)),
  'GET /phoneNumberInventory/:phoneId/balances': async ({ params }) => ({
    balances: (await listBalances(deps.db, params.phoneId)).map(({ at, balanceMicros, kind }) => ({
      at: at.toISOString(),
      balance: numberFromMicros(balanceMicros),
      kind,
    })),
  }),
  'POST /phoneNumberInventory': async ({ body, changed }) => {
    const _id = await addPhone(deps, body);
    changed({ subject: _id, after: body });
    return { _id };
  },
  'PUT /phoneNumberInventory/:phoneId': async ({ params, body, changed }) => {
    changed(await changePhone(deps, params.phoneId, body));
    return { status: 'ok' } as const;
  },
});
