import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { RichText } from '../../ground/i18n/rich-text.tsx';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { SecretField } from '../../ground/ui/forms/secret-field.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { EventsPerCall } from './events-per-call.tsx';
import type { Endpoint } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EndpointPanelProps {
  accountId: AccountId;
  endpoint: Endpoint;
  /** A link to where the address is set. */
  settings: (label: string) => ReactNode;
  /** Asks for the password, and goes on when the secret is there. */
  onUnmask: (goOn: () => void) => void;
}

const Address = ({ endpoint: { url }, settings }: Pick<EndpointPanelProps, 'endpoint' | 'settings'>) =>
  url ? (
    <div>
      <p className={classes.label}>{t('events.address')}</p>
      <p className={classes.address}>{url}</p>
      <p className={classes.hint}>{settings(t('events.change'))}</p>
    </div>
  ) : (
    <div className={classes.empty}>
      <p className={classes.label}>{t('events.not_set')}</p>
      <p>
        <RichText text={t('events.not_set_text')} parts={{ settings: settings(t('route.settings')) }} />
      </p>
    </div>
  );

const Trouble = ({ accountId, endpoint }: Pick<EndpointPanelProps, 'accountId' | 'endpoint'>) => {
  const resume = useSave(() => call('POST /account/:accountId/webhook/resume', { params: { accountId } }));
  const { goneAt, failingSince } = endpoint;
  if (!endpoint.url || !(goneAt || failingSince)) return null;
  return (
    <div className={classes.trouble}>
      {goneAt ? (
        <Notice title={t('events.gone', { time: formatDateTime(goneAt) })} text={t('events.gone_text')} />
      ) : (
        <Notice
          title={t('events.failing', { time: formatDateTime(failingSince ?? '') })}
          text={t('events.failing_text')}
        />
      )}
      <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(undefined)}>
        {t('events.resume')}
      </Button>
    </div>
  );
};

const Secret = ({ accountId, endpoint, onUnmask }: Omit<EndpointPanelProps, 'settings'>) => {
  const [asking, ask] = useDisclosure();
  const rotate = useSave(() => call('POST /account/:accountId/webhook/rotate', { params: { accountId } }));
  const [shown, setShown] = useState(false);
  const { masked, secret, previousUntil } = endpoint;
  return (
    <div>
      <SecretField
        label={t('events.secret')}
        description={t('events.secret_hint')}
        secret={secret}
        masked={masked}
        shown={shown && !masked}
        onToggle={() => (masked ? onUnmask(() => setShown(true)) : setShown(!shown))}
        show={t('events.show')}
        hide={t('events.hide')}
        copy={t('events.copy')}
        onCopied={() => toastSuccess(t('events.copied'))}
      >
        <Button variant="default" onClick={ask.open}>
          {t('events.rotate')}
        </Button>
      </SecretField>
      {previousUntil && (
        <p className={classes.hint}>{t('events.previous', { time: formatDateTime(previousUntil) })}</p>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={ask.close}
        onConfirm={async () => {
          await rotate.mutateAsync(undefined).catch(() => undefined);
          ask.close();
        }}
        title={t('events.rotate_title')}
        cancel={t('layout.cancel')}
        confirm={t('events.rotate')}
        close={t('layout.close')}
      >
        {t('events.rotate_text')}
      </ConfirmDialog>
    </div>
  );
};

/** The address that gets the events, the state of their delivery, how many a call has, and the secret that signs them. */
export const EndpointPanel = ({ accountId, endpoint, settings, onUnmask }: EndpointPanelProps) => (
  <Panel title={t('events.endpoint')}>
    <div className={classes.stack}>
      <Trouble accountId={accountId} endpoint={endpoint} />
      <Address endpoint={endpoint} settings={settings} />
      {endpoint.url && <EventsPerCall accountId={accountId} endpoint={endpoint} />}
      <Secret accountId={accountId} endpoint={endpoint} onUnmask={onUnmask} />
    </div>
  </Panel>
);
