import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FieldsDialog, wholeNumber } from '../../ground/ui/forms/fields-dialog.tsx';
import type { Agent } from './agents-query.ts';

const codeFault = (typed: string) => !/^([*#\d]{2,20})?$/.test(typed) && t('agents.code_invalid');

interface AgentSettingsProps {
  agent: Agent;
  opened: boolean;
  onClose: () => void;
}

/** What an operator may change while the agent runs. */
export const AgentSettingsDialog = ({ agent: { _id, settings }, opened, onClose }: AgentSettingsProps) => (
  <FieldsDialog
    opened={opened}
    onClose={onClose}
    title={t('agents.settings')}
    text={t('agents.settings_hint')}
    confirm={t('contacts.save')}
    fields={[
      {
        name: 'heartbeatSeconds',
        label: t('agents.heartbeat'),
        kind: 'decimal',
        initial: String(settings.heartbeatSeconds),
        fault: wholeNumber({ least: 1, most: 120 }),
      },
      {
        name: 'balanceCode',
        label: t('agents.balance_code'),
        description: t('agents.balance_code_hint'),
        initial: settings.balanceCode ?? '',
        fault: codeFault,
      },
      {
        name: 'balanceEveryMinutes',
        label: t('agents.balance_every'),
        kind: 'decimal',
        initial: String(settings.balanceEveryMinutes ?? ''),
        fault: wholeNumber({ least: 5, most: 10_080, optional: true }),
      },
    ]}
    submit={async ({ heartbeatSeconds, balanceCode, balanceEveryMinutes }) => {
      await call('PUT /admin/agents/:agentId', {
        params: { agentId: _id },
        body: {
          heartbeatSeconds: Number(heartbeatSeconds),
          ...(balanceCode && { balanceCode }),
          ...(balanceEveryMinutes && { balanceEveryMinutes: Number(balanceEveryMinutes) }),
        },
      });
      return { message: t('agents.settings_saved') };
    }}
  />
);
