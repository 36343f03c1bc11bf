import type { QueryResult } from '../../../contract/office/query.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Tag } from '../../ground/ui/tag.tsx';
import { costliest, type PlanNode, planOf } from './explain-plan.ts';
import classes from './result.module.css';

const Node = ({ node, costly }: { node: PlanNode; costly: PlanNode }) => (
  <li>
    <div className={classes.node} data-costly={node === costly || undefined}>
      <strong>{node.name}</strong>
      <span className={classes.figures}>
        {node.totalCost !== undefined && t('qf.cost', { cost: formatCount(node.totalCost) })}
        {node.rows !== undefined && ` ${t('qf.plan_rows', { rows: formatCount(node.rows) })}`}
      </span>
      {node === costly && <Tag tone="wait">{t('qf.costliest')}</Tag>}
    </div>
    {node.children.length > 0 && (
      <ul>
        {node.children.map((child, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a plan never changes, and two steps may be alike.
          <Node key={at} node={child} costly={costly} />
        ))}
      </ul>
    )}
  </li>
);

/** How the database would run the statement, with the step marked that costs most. */
export const ExplainTree = ({ result }: { result: QueryResult }) => {
  const plan = planOf(result);
  if (!plan) return <pre>{result.rows.map(([line]) => line ?? '').join('\n')}</pre>;
  return (
    <ul className={classes.tree} aria-label={t('qf.plan')}>
      <Node node={plan} costly={costliest(plan)} />
    </ul>
  );
};
