import { formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import classes from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import { periodText, runText } from './period-text.ts';
import type { Retention } from './retention-query.ts';

type Rule = Retention['rules'][number];

const Last = ({ last }: Pick<Rule, 'last'>) =>
  last === null ? (
    <span className={classes.quiet}>{t('retention.never')}</span>
  ) : (
    <>
      <time dateTime={last.ranAt}>{formatDateTime(last.ranAt)}</time>
      <span className={classes.quiet}> · {runText(last)}</span>
    </>
  );

const Due = ({ due, nextIsDry }: Pick<Rule, 'due' | 'nextIsDry'>) => (
  <>
    {formatCount(due)} {nextIsDry && due > 0 && <Tag tone="wait">{t('retention.dry')}</Tag>}
  </>
);

/** The name in the log of an operator's server is its title. */
const What = ({ removes, name }: Pick<Rule, 'removes' | 'name'>) => <span title={name}>{removes}</span>;

const nameOf = ({ name }: Rule): string => name;

const COLUMNS: Column<Rule>[] = [
  {
    id: 'what',
    label: () => t('retention.what'),
    cell: (rule) => <What {...rule} />,
    width: 14,
    grow: 4,
    line: 1,
  },
  {
    id: 'period',
    label: () => t('retention.period'),
    cell: ({ name, days }) => periodText(name, days),
    width: 12,
    line: 2,
  },
  {
    id: 'due',
    label: () => t('retention.due'),
    cell: (rule) => <Due {...rule} />,
    width: 8,
    line: 2,
  },
  {
    id: 'last',
    label: () => t('retention.last'),
    cell: ({ last }) => <Last last={last} />,
    width: 13,
    grow: 1,
  },
];

export const RulesTable = ({ rules }: Pick<Retention, 'rules'>) => (
  <DataList
    name="retention-rules"
    label={t('retention.rules')}
    columns={COLUMNS}
    rows={rules}
    rowId={nameOf}
    empty={t('retention.nothing')}
    panel={{
      title: ({ name }: Rule) => t(`retention.name.${name}`),
      content: (rule) => (
        <Facts
          facts={[
            { label: t('retention.what'), value: rule.removes },
            { label: t('retention.period'), value: periodText(rule.name, rule.days) },
            { label: t('retention.due'), value: <Due {...rule} /> },
            { label: t('retention.last'), value: <Last last={rule.last} /> },
          ]}
        />
      ),
    }}
  />
);
