import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../../ground/api/call.ts';
import { isMoment, toWireMoment } from '../../../ground/i18n/moment-text.ts';

/** As the form has them; a time that is not complete is not asked for. */
export interface DoubtFilters {
  laneId: string;
  from: string;
  to: string;
}
export const NO_DOUBT_FILTERS: DoubtFilters = { laneId: '', from: '', to: '' };

export const IN_DOUBT_PAGE = 50;
const ASKED_MS = 5_000;

export type DoubtfulMessage = Answer<'GET /admin/inDoubt'>['messages'][number];

/** The filters as calls have them. */
export const askedDoubts = ({ laneId, from, to }: DoubtFilters) => ({
  ...(laneId && { laneId: Number(laneId) }),
  ...(isMoment(from) && { from: toWireMoment(from) }),
  ...(isMoment(to) && { to: toWireMoment(to) }),
});

export const inDoubtQuery = (filters: DoubtFilters, page: number) => {
  const query = { ...askedDoubts(filters), limit: IN_DOUBT_PAGE, skip: (page - 1) * IN_DOUBT_PAGE };
  return queryOptions({
    queryKey: ['in-doubt', query],
    queryFn: () => call('GET /admin/inDoubt', { query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Until the carriers have answered.
    refetchInterval: ({ state }) =>
      state.data?.messages.some(({ question }) => question?.answeredAt === null) ? ASKED_MS : false,
  });
};
