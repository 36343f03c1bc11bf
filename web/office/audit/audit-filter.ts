import type { AuditFilter } from '../../../contract/office/audit.ts';
import { givenTexts } from '../../ground/ui/given-texts.ts';

/** What of the address is a search: the server judges the values. */
export const readAuditFilter = (search: Record<string, unknown>): AuditFilter =>
  givenTexts(search, ['who', 'call', 'subject', 'accountId', 'kind', 'dateFrom', 'dateTo']) as AuditFilter;
