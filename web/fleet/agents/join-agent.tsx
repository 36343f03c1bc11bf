import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../ground/api/call.ts';
import { formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { useCopy } from '../../ground/ui/copy-text.ts';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';
import classes from './agents.module.css';

/** With a modem as most systems name it: the agent needs at least one. */
const commandOf = ({ server, key }: { server: string; key: string }): string =>
  `npm run agent -- --server ${server} --key ${key} --modem sim-1=serial:/dev/ttyUSB0`;

const Command = ({ command, expiresAt }: { command: string; expiresAt: string }) => {
  const { copy, copied } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <>
      <section className={classes.command} aria-label={t('agents.command')}>
        <code>{command}</code>
        <Button
          variant="default"
          leftSection={<Icon size={18} aria-hidden="true" />}
          onClick={() => copy(command)}
        >
          {copied ? t('agents.copied') : t('agents.copy_command')}
        </Button>
      </section>
      <p className={list.hint}>
        {t('agents.expires', { time: formatTime(expiresAt) })} {t('agents.after')}
      </p>
    </>
  );
};

/** Makes a one-time key and shows the command that joins an agent with it. */
export const JoinAgent = () => {
  const making = useMutation({
    mutationFn: () => call('POST /admin/agentKeys'),
    networkMode: 'always',
    onError: (error) => toastFailure(error.message),
  });
  return (
    <Panel title={t('agents.join')}>
      <p className={list.hint}>{t('agents.join_hint')}</p>
      {making.data && <Command command={commandOf(making.data)} expiresAt={making.data.expiresAt} />}
      <Button
        variant={making.data ? 'default' : 'filled'}
        leftSection={<IconKey size={18} aria-hidden="true" />}
        loading={making.isPending}
        onClick={() => making.mutate()}
      >
        {making.data ? t('agents.make_key_again') : t('agents.make_key')}
      </Button>
    </Panel>
  );
};
