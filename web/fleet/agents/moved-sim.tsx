import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import list from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import type { Agent } from './agents-query.ts';

interface MovedSimProps {
  agent: Pick<Agent, '_id' | 'name'>;
  modem: string;
  moved: NonNullable<Agent['modems'][number]['moved']>;
}

/** A SIM that was another agent's sends nothing from here before somebody has said that it was moved. */
export const MovedSim = ({ agent, modem, moved: { phoneName: phone, agentName, since } }: MovedSimProps) => {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const confirm = useSave(async () => {
    const params = { agentId: agent._id };
    await call('POST /admin/agents/:agentId/movedSim', { params, body: { modem } });
    return { message: t('agents.moved_done', { phone, agent: agent.name }) };
  });
  return (
    <>
      <Tag tone="wait">{t('agents.moved', { phone })}</Tag>
      <span className={list.quiet}>
        {t('agents.moved_from', { time: formatDateTime(since), agent: agentName })}
      </span>
      {may('POST /admin/agents/:agentId/movedSim') && (
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          {t('agents.moved_confirm')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await confirm.mutateAsync(undefined).catch(() => {});
          setAsking(false);
        }}
        title={t('agents.moved_title', { phone })}
        cancel={t('layout.cancel')}
        confirm={t('agents.moved_confirm')}
        close={t('layout.close')}
      >
        {t('agents.moved_text', { agent: agent.name, phone })}
      </ConfirmDialog>
    </>
  );
};
