import { Button } from '@mantine/core';
import { type RefObject, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useFocusBack } from '../../ground/ui/forms/use-focus-back.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Tag } from '../../ground/ui/tag.tsx';
import type { OldSecret } from './integration-queries.ts';
import classes from './secrets.module.css';

interface OldSecretsProps {
  accountId: AccountId;
  oldSecrets: OldSecret[];
  /** Takes the focus when the button that had it was removed. */
  titleRef: RefObject<HTMLHeadingElement | null>;
}

/** Secrets that were replaced and still work, each with its expiry. */
export const OldSecrets = ({ accountId, oldSecrets, titleRef }: OldSecretsProps) => {
  const [ending, setEnding] = useState<OldSecret>();
  const [asking, setAsking] = useState(false);
  const focus = useFocusBack(titleRef);
  const end = useSave((oldSecretId: OldSecret['_id']) =>
    call('DELETE /account/:accountId/oldSecrets/:oldSecretId', { params: { accountId, oldSecretId } }),
  );
  return (
    <>
      {oldSecrets.length > 0 && (
        <section className={classes.old} aria-label={t('integration.old')}>
          <h3>{t('integration.old')}</h3>
          <ul>
            {oldSecrets.map((old) => (
              <li key={old._id}>
                <span className={classes.facts}>
                  <code>…{old.hint}</code>
                  {old.test && <Tag tone="brass">{t('integration.test')}</Tag>}
                  <span className={classes.quiet}>
                    {t('integration.old_until', { time: formatDateTime(old.endsAt) })}
                  </span>
                </span>
                <Button
                  variant="default"
                  size="sm"
                  aria-label={t('integration.end_named', { hint: old.hint })}
                  onClick={({ currentTarget }) => {
                    focus.remember(currentTarget);
                    setEnding(old);
                    setAsking(true);
                  }}
                >
                  {t('integration.end')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onClosed={focus.giveBack}
        onConfirm={async () => {
          if (ending) await end.mutateAsync(ending._id).catch(() => undefined);
          setAsking(false);
        }}
        title={t('integration.end_title')}
        cancel={t('layout.cancel')}
        destructive
        confirm={t('integration.end')}
        close={t('layout.close')}
      >
        {t('integration.end_text', { hint: ending?.hint ?? '' })}
      </ConfirmDialog>
    </>
  );
};
