import { useCallback, useEffect, useRef, useState } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { networkFault } from '../../../ground/api/api-error.ts';
import { keepFile } from '../../../ground/api/download.ts';
import { streamFile } from '../../../ground/api/stream-file.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import { openLineCounter } from '../list/count-lines.ts';
import { queryOf } from './list-query.ts';
import type { MessageFilters } from './message-filters.ts';

/** Often enough for the progress to look smooth. */
const SHOW_EVERY_MS = 100;

interface Exporting {
  /** The messages received so far. */
  rows: number;
  /** The number of matches when the export began. */
  total: number;
}

/** The filters without page and order: the file has all matches, newest first. */
const filterOf = (filters: MessageFilters) => {
  const { limit: _, skip: __, sort: ___, order: ____, ...filter } = queryOf(filters);
  return filter;
};

/** Exports one file at a time. It is saved only when it has arrived completely. */
export const useExport = (accountId: AccountId) => {
  const [exporting, setExporting] = useState<Exporting>();
  const [fault, setFault] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);

  const fetchFile = async (filters: MessageFilters, total: number, signal: AbortSignal) => {
    const counter = openLineCounter();
    let rows = 0;
    let shownAt = 0;
    const parts = await streamFile('/account/:accountId/messages.csv', {
      params: { accountId },
      query: filterOf(filters),
      signal,
      onChunk: (chunk) => {
        // The first line is the head.
        rows = Math.max(0, counter.add(chunk) - 1);
        if (performance.now() - shownAt < SHOW_EVERY_MS) return;
        shownAt = performance.now();
        setExporting({ rows, total: Math.max(rows, total) });
      },
    });
    if (!counter.isWhole()) throw networkFault();
    keepFile(new Blob(parts, { type: 'text/csv' }), `messages-${filters.dateFrom}-${filters.dateTo}.csv`);
    toastSuccess(t('messages.exported', { rows: formatCount(rows) }));
  };

  const start = async (filters: MessageFilters, total: number) => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setFault(undefined);
    setExporting({ rows: 0, total });
    try {
      await fetchFile(filters, total, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) toastSuccess(t('messages.export_cancelled'));
      else setFault((error as Error).message);
    } finally {
      running.current = undefined;
      setExporting(undefined);
    }
  };
  return { exporting, fault, start, cancel };
};
