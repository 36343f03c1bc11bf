import { useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { ApiSecretField } from './api-secret-field.tsx';
import type { ApiInfo } from './integration-queries.ts';
import { OldSecrets } from './old-secrets.tsx';
import classes from './secrets.module.css';

interface SecretsProps {
  accountId: AccountId;
  info: ApiInfo;
  shown: boolean;
  onToggle: () => void;
  /** Asks for the password, and goes on when the secrets are there. */
  onUnmask: (goOn: () => void) => void;
}

/** `shown` belongs to the page, because the sample code shows the live secret as well. */
export const SecretFields = ({ accountId, info, shown, onToggle, onUnmask }: SecretsProps) => {
  const [testShown, setTestShown] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState(false);
  const [test, setTest] = useState(false);
  const rotate = useSave((which: { test: boolean }) =>
    call('POST /account/:accountId/secret/rotate', { params: { accountId }, body: which }),
  );
  const ask = (which: boolean) => {
    setTest(which);
    setAsking(true);
  };
  return (
    <Panel title={t('integration.secrets')} titleRef={title}>
      <div className={classes.secrets}>
        <ApiSecretField
          label={t('integration.secret')}
          description={t('integration.secret_hint')}
          secret={info.secret}
          masked={info.masked}
          shown={shown && !info.masked}
          onToggle={() => (info.masked ? onUnmask(() => shown || onToggle()) : onToggle())}
          onRotate={() => ask(false)}
        />
        <ApiSecretField
          label={t('integration.test_secret')}
          description={t('integration.test_secret_hint')}
          secret={info.testSecret}
          masked={info.masked}
          shown={testShown && !info.masked}
          onToggle={() => (info.masked ? onUnmask(() => setTestShown(true)) : setTestShown(!testShown))}
          onRotate={() => ask(true)}
        />
        <OldSecrets accountId={accountId} oldSecrets={info.oldSecrets} titleRef={title} />
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await rotate.mutateAsync({ test }).catch(() => undefined);
          setAsking(false);
        }}
        title={test ? t('integration.rotate_test_title') : t('integration.rotate_title')}
        cancel={t('layout.cancel')}
        confirm={t('integration.rotate')}
        close={t('layout.close')}
      >
        {t('integration.rotate_text')}
      </ConfirmDialog>
    </Panel>
  );
};
