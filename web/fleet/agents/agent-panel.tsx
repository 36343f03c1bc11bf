import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { AgentSettingsDialog } from './agent-settings.tsx';
import { AgentState } from './agent-state.tsx';
import { type Agent, agentsQuery } from './agents-query.ts';
import { ModemList } from './modem-list.tsx';

const remove = async (agentId: Agent['_id']): Promise<void> => {
  try {
    await call('DELETE /admin/agents/:agentId', { params: { agentId } });
    toastSuccess(t('agents.removed'));
  } catch (error) {
    toastFailure((error as Error).message);
  }
  await queryClient.invalidateQueries(agentsQuery);
};

/** All that is known of an agent, and how to be rid of it. */
export const AgentPanel = ({ agent }: { agent: Agent }) => {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Facts
        facts={[
          { label: t('agents.agent'), value: <AgentState agent={agent} /> },
          { label: t('agents.version'), value: agent.version },
          {
            label: t('agents.seen'),
            value: agent.lastSeenAt ? formatDateTime(agent.lastSeenAt) : t('agents.never'),
          },
          { label: t('agents.joined_at'), value: formatDateTime(agent.joinedAt) },
          { label: t('agents.heartbeat'), value: formatCount(agent.settings.heartbeatSeconds) },
          { label: t('agents.balance_code'), value: agent.settings.balanceCode },
        ]}
      />
      <h3>{t('agents.phones')}</h3>
      {agent.modems.length > 0 ? <ModemList agent={agent} /> : <p>{t('agents.no_modem')}</p>}
      <Group gap="xs">
        {may('PUT /admin/agents/:agentId') && (
          <Button variant="default" onClick={() => setEditing(true)}>
            {t('agents.settings')}
          </Button>
        )}
        {may('DELETE /admin/agents/:agentId') && (
          <Button color="red.9" variant="outline" onClick={() => setAsking(true)}>
            {t('agents.remove')}
          </Button>
        )}
      </Group>
      <AgentSettingsDialog agent={agent} opened={editing} onClose={() => setEditing(false)} />
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await remove(agent._id);
          setAsking(false);
        }}
        title={t('agents.remove_title')}
        cancel={t('layout.cancel')}
        destructive
        confirm={t('agents.remove')}
        close={t('layout.close')}
      >
        {t('agents.remove_text', { agent: agent.name })}
      </ConfirmDialog>
    </>
  );
};
