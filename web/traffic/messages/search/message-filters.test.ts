import { afterEach, describe, expect, it } from 'vitest';
import { CHANNELS } from '../../../../contract/ground/channels.ts';
import { DEFAULT_TIME_ZONE } from '../../../../contract/ground/constants.ts';
import { MESSAGE_STATUSES, MESSAGE_TYPES, SIM_METHODS } from '../../../../contract/traffic/message-values.ts';
import { isDay } from '../../../ground/i18n/moment-text.ts';
import { setTimeZone } from '../../../ground/i18n/time-zone.ts';
import { formatSecond, recentDays, shiftDays, todayOnly } from './days.ts';
import { queryOf } from './list-query.ts';
import { defaultFilters, readFilters, STATUSES, sameFilters, writeFilters } from './message-filters.ts';

const customer = { admin: false };
const admin = { admin: true };

describe('days', () => {
  it('are those of Hong Kong, seven back through tomorrow', () => {
    expect(recentDays(new Date('2026-11-15T15:59:00Z'))).toEqual({
      dateFrom: '2026-11-08',
      dateTo: '2026-11-16',
    });
    expect(recentDays(new Date('2026-11-15T16:01:00Z'))).toEqual({
      dateFrom: '2026-11-09',
      dateTo: '2026-11-17',
    });
  });

  describe('of an account elsewhere', () => {
    afterEach(() => setTimeZone(DEFAULT_TIME_ZONE));

    it('are those of its own zone, and so are the times, whatever was shown before', () => {
      const now = '2026-11-15T04:30:00.000Z';
      expect(formatSecond(now)).toBe('2026-11-15 12:30:00');
      setTimeZone('America/New_York');
      expect(recentDays(new Date(now))).toEqual({ dateFrom: '2026-11-07', dateTo: '2026-11-15' });
      expect(todayOnly(new Date(now))).toEqual({ dateFrom: '2026-11-14', dateTo: '2026-11-14' });
      expect(defaultFilters(new Date(now))).toMatchObject({ dateFrom: '2026-11-07', dateTo: '2026-11-15' });
      expect(formatSecond(now)).toBe('2026-11-14 23:30:00');
      setTimeZone('Asia/Kolkata');
      expect(formatSecond(now)).toBe('2026-11-15 10:00:00');
    });
  });

  it('shift over the end of a month, and both at once', () => {
    const days = { dateFrom: '2026-02-28', dateTo: '2026-03-01' };
    expect(shiftDays(days, 1)).toEqual({ dateFrom: '2026-03-01', dateTo: '2026-03-02' });
  });

  it('are refused when the calendar does not have them', () => {
    expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true);
    expect(['2026-02-29', '2026-13-01', '15/11/2026', '2026-1-1', '0000-01-01', 20261115].some(isDay)).toBe(
      false,
    );
  });
});

it('every choice that the contract knows can be made', () => {
  expect([...STATUSES].sort()).toEqual([...MESSAGE_STATUSES].sort());
  expect(CHANNELS.every((channel) => !readFilters({ channel }, customer).broken)).toBe(true);
  expect(MESSAGE_TYPES.every((type) => !readFilters({ type }, customer).broken)).toBe(true);
  expect(SIM_METHODS.every((method) => !readFilters({ method }, { admin: true }).broken)).toBe(true);
});

describe('the search in the address', () => {
  it('comes back as it was written', () => {
    const filters = {
      ...defaultFilters(),
      dateFrom: '2026-11-01',
      status: 'FAILED' as const,
      message: '您好 & "quotes"',
      carrierNames: ['csl', 'three'],
      sort: 'updatedAt' as const,
      page: 3,
      autoRefresh: true,
    };
    const written = JSON.parse(JSON.stringify(writeFilters(filters)));
    expect(readFilters(written, admin)).toEqual({ filters, broken: false });
  });

  it('is empty for the default search', () => {
    expect(writeFilters(defaultFilters())).toEqual({});
    expect(readFilters(undefined, customer).broken).toBe(false);
  });

  it.each([['{oops'], [[]], [null], [17], ['']])('is ignored when it is %j', (given) => {
    const { filters, broken } = readFilters(given, customer);
    expect(broken).toBe(true);
    expect(sameFilters(filters, defaultFilters())).toBe(true);
  });

  it('loses only the parts that make no sense', () => {
    const given = {
      status: 'LOST',
      channel: 'sms',
      page: -1,
      dateFrom: '2026-02-30',
      constructor: 'x',
      carrierNames: [1],
    };
    const { filters, broken } = readFilters(given, admin);
    expect(broken).toBe(true);
    expect(filters).toEqual({ ...defaultFilters(), channel: 'sms' });
  });

  it('knows an account by an id that the server takes', () => {
    const accountId = '019a8552-7d5e-7c4b-9d7d-2a4c0f6f1b11';
    expect(readFilters({ accountId }, admin)).toMatchObject({ broken: false, filters: { accountId } });
    for (const wrong of ['------------------------------------', accountId.replace('-7c', '-0c'), 17])
      expect(readFilters({ accountId: wrong }, admin).broken).toBe(true);
  });

  it("leaves out what is an admin's when a customer opens it", () => {
    const given = { status: 'FAILED_WITH_EXCEPTION', sort: 'updatedAt', provider: 'smpp', message: 'code' };
    expect(readFilters(given, admin)).toMatchObject({ broken: false, filters: given });
    const { filters, broken } = readFilters(given, customer);
    expect(broken).toBe(true);
    expect(filters).toEqual({ ...defaultFilters(), status: 'FAILED_WITH_EXCEPTION', message: 'code' });
  });

  it('may name a batch, and what is due later or was delivered', () => {
    const batchId = '019a8552-7d5e-7c4b-9d7d-2a4c0f6f1b11';
    const given = { batchId, scheduled: 'true', delivered: 'true' };
    expect(readFilters(given, customer)).toMatchObject({ broken: false, filters: given });
    expect(queryOf(readFilters(given, customer).filters)).toMatchObject(given);
    for (const wrong of [{ batchId: 'x' }, { scheduled: 'yes' }, { delivered: true }])
      expect(readFilters(wrong, customer).broken).toBe(true);
  });
});

describe('what the server is asked', () => {
  it('is only what was chosen, and fifty at a time', () => {
    const filters = { ...defaultFilters(), page: 3, _id: ' abc ', message: ' two words ' };
    const { dateFrom, dateTo } = filters;
    expect(queryOf(filters)).toEqual({
      dateFrom,
      dateTo,
      _id: 'abc',
      message: ' two words ',
      sort: 'createdAt',
      order: 'desc',
      limit: 50,
      skip: 100,
    });
  });

  it('names a country that was chosen, or the usual one with a number, and joins the carriers', () => {
    expect(queryOf(defaultFilters())).not.toHaveProperty('countryCode');
    expect(queryOf({ ...defaultFilters(), countryCode: '+65' })).toMatchObject({ countryCode: '+65' });
    expect(queryOf({ ...defaultFilters(), countryCode: '+65', phoneNumber: '8123 4567' })).toMatchObject({
      countryCode: '+65',
      phoneNumber: '8123 4567',
    });
    const filters = { ...defaultFilters(), phoneNumber: ' 6111 2222 ', carrierNames: ['csl', 'three'] };
    expect(queryOf(filters)).toMatchObject({
      countryCode: '+852',
      phoneNumber: '6111 2222',
      carrierNames: 'csl,three',
    });
  });
});
