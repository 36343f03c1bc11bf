import { t } from '../i18n/translate.ts';
import list from '../ui/list.module.css';
import { Tag } from '../ui/tag.tsx';
import type { Agent } from './agents-query.ts';

export const AgentState = ({ agent: { name, connected } }: { agent: Agent }) => (
  <>
    <span className={list.strong}>{name}</span>{' '}
    <Tag tone={connected ? 'good' : 'bad'}>{connected ? t('agents.connected') : t('agents.away')}</Tag>
  </>
);
