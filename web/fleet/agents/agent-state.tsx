import { t } from '../../ground/i18n/translate.ts';
import list from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import type { Agent } from './agents-query.ts';

export const AgentState = ({ agent: { name, connected } }: { agent: Agent }) => (
  <>
    <span className={list.strong}>{name}</span>{' '}
    <Tag tone={connected ? 'good' : 'bad'}>{connected ? t('agents.connected') : t('agents.away')}</Tag>
  </>
);
