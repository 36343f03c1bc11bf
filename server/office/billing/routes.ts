import { accountParams } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { monthQuery } from '../../../contract/office/billing.ts';
import { GLANCE_DAYS } from '../../../contract/office/office-values.ts';
import {
  type CallerFiles,
  type CallerRoutes,
  callerFile,
  requireOwnAccount,
} from '../../ground/route/index.ts';
import { readOutcomes } from '../../traffic/messages/index.ts';
import { type BillingDeps, requireContact } from './billing-deps.ts';
import { listMonths } from './list-months.ts';
import { dayAt, daySpans, daysOfMonth, monthAt, monthSpan } from './month.ts';
import { type ChannelBill, readBill } from './read-bill.ts';
import { type ChannelDay, readDays } from './read-days.ts';
import { statementPdf } from './statement-pdf.ts';
import { itemsOf } from './views.ts';

const DAY_MS = 86_400_000;

const dayView = ({ messages, spentMicros }: ChannelDay) => ({
  messages,
  spent: numberFromMicros(spentMicros),
});

const channelView = (language: Language, bill: ChannelBill | undefined) => ({
  total: numberFromMicros(bill?.totalMicros ?? 0n),
  items: bill ? itemsOf(language, bill) : [],
});

export const billingRoutes = (deps: BillingDeps): CallerRoutes => ({
  'GET /account/:accountId/billing': async ({ caller, params, query, language }) => {
    requireOwnAccount(caller, params.accountId);
    const { timeZone } = await requireContact(deps, caller.accountId);
    const date = query.date ?? monthAt(new Date(), timeZone);
    const bill = await readBill(deps.db, caller.accountId, monthSpan(date, timeZone));
    const of = (channel: ChannelBill['channel']) =>
      channelView(
        language,
        bill.channels.find((one) => one.channel === channel),
      );
    return {
      date,
      usageInfo: { sms: of('sms'), email: of('email'), whatsapp: of('whatsapp') },
      billingTotal: numberFromMicros(bill.totalMicros),
    };
  },
  'GET /account/:accountId/billingDates': async ({ caller, params }) => {
    requireOwnAccount(caller, params.accountId);
    const { timeZone } = await requireContact(deps, caller.accountId);
    return { dates: await listMonths(deps.db, caller.accountId, timeZone) };
  },
  'GET /account/:accountId/billing/days': async ({ caller, params, query }) => {
    requireOwnAccount(caller, params.accountId);
    const { timeZone } = await requireContact(deps, caller.accountId);
    const date = query.date ?? monthAt(new Date(), timeZone);
    const spans = daysOfMonth(date, timeZone);
    const days = await readDays(deps.db, caller.accountId, spans);
    return {
      date,
      days: days.map(({ sms, email, whatsapp }, at) => ({
        date: spans[at]?.date ?? '',
        sms: dayView(sms),
        email: dayView(email),
        whatsapp: dayView(whatsapp),
      })),
    };
  },
  'GET /account/:accountId/glance': async ({ caller, params }) => {
    requireOwnAccount(caller, params.accountId);
    const { timeZone } = await requireContact(deps, caller.accountId);
    const first = dayAt(new Date(Date.now() - (GLANCE_DAYS - 1) * DAY_MS), timeZone);
    const days = daySpans(first, GLANCE_DAYS, timeZone);
    const span = { from: days[0]?.from ?? new Date(), to: days.at(-1)?.to ?? new Date() };
    const { totalMicros } = await readBill(deps.db, caller.accountId, span);
    const outcomes = await readOutcomes(deps.db, caller.accountId, span);
    return { ...outcomes, spent: numberFromMicros(totalMicros) };
  },
});

export const billingFiles = (deps: BillingDeps): CallerFiles => ({
  'GET /account/:accountId/statement.pdf': callerFile({
    summary: 'The statement of a month as a PDF file',
    params: accountParams,
    query: monthQuery,
    answer: async ({ caller, params: { accountId }, query: { date }, language }) => {
      requireOwnAccount(caller, accountId);
      const { pdf, month } = await statementPdf(deps, { accountId, date, language });
      return { contentType: 'application/pdf', fileName: `statement-${month}.pdf`, body: pdf };
    },
  }),
});
