import { formatMoment } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { AuditOutcome } from './audit-columns.tsx';
import classes from './audit-panel.module.css';
import type { AuditEntry } from './audit-query.ts';

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');

/** Each field of an object on its own, so that before and after can be compared. */
const Content = ({ title, value }: { title: string; value: unknown }) => {
  if (value === null || value === undefined || (isFields(value) && Object.keys(value).length === 0))
    return null;
  return (
    <section aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      {isFields(value) ? (
        <Facts facts={Object.entries(value).map(([label, part]) => ({ label, value: textOf(part) }))} />
      ) : (
        <pre className={classes.text}>{textOf(value)}</pre>
      )}
    </section>
  );
};

/** All that is kept of an entry. */
export const AuditPanel = ({ entry }: { entry: AuditEntry }) => (
  <>
    <Facts
      facts={[
        { label: t('messages.status'), value: <AuditOutcome outcome={entry.outcome} /> },
        { label: t('ledger.time'), value: formatMoment(entry.at) },
        { label: t('audit.who'), value: entry.admin.email || entry.admin._id },
        { label: t('messages.account'), value: entry.account?.email },
        { label: t('audit.account'), value: entry.account?._id },
        { label: t('audit.subject'), value: entry.subject },
        { label: t('audit.address'), value: entry.address },
      ]}
    />
    <Content title={t('audit.asked')} value={entry.asked} />
    <Content title={t('audit.before')} value={entry.before} />
    <Content title={t('audit.after')} value={entry.after} />
    <Facts
      facts={[
        { label: 'ID', value: entry._id },
        { label: t('audit.hash'), value: <code className={classes.hash}>{entry.hash}</code> },
      ]}
    />
  </>
);
