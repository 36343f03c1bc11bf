import { t } from '../../ground/i18n/translate.ts';
import { anyOf } from '../../ground/ui/any-of.ts';
import type { SearchField } from '../../ground/ui/forms/search-form.tsx';

const KINDS = ['read', 'write'] as const;

export const auditSearch = (): SearchField[] => [
  { name: 'who', label: t('audit.who') },
  { name: 'call', label: t('audit.what') },
  { name: 'subject', label: t('audit.subject') },
  { name: 'accountId', label: t('audit.account') },
  { name: 'dateFrom', label: t('ledger.from'), isDay: true },
  { name: 'dateTo', label: t('ledger.to'), isDay: true },
  {
    name: 'kind',
    label: t('audit.kind'),
    options: anyOf(t('audit.kind.any'), KINDS, (value) => t(`audit.kind.${value}`)),
  },
];
