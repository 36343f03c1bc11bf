import { Button, NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { useCopy } from '../../ground/ui/copy-text.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { CodeView } from './code-view.tsx';
import type { ApiInfo } from './integration-queries.ts';
import classes from './sample-code.module.css';

type Kind = 'send' | 'many' | 'verify';

/** The API's documentation says to drop the last entry of the list. */
const languagesOf = (codes: ApiInfo['codes']) => Object.keys(codes).slice(0, -1);

interface SampleCodeProps {
  info: ApiInfo;
  /** Whether the secret may be seen. */
  shown: boolean;
  /** Asks for the password: a program without its secret is not worth copying. */
  onUnmask: () => void;
}

export const SampleCode = ({ info, shown, onUnmask }: SampleCodeProps) => {
  const languages = languagesOf(info.codes);
  const [chosen, setChosen] = useState(languages[0] ?? '');
  const [kind, setKind] = useState<Kind>('send');
  const [free, setFree] = useState(false);
  const { copy, copied } = useCopy();
  const language = languages.includes(chosen) ? chosen : (languages[0] ?? '');
  const { codes, manyCodes, webhookCodes } = info;
  const sample = { send: codes, many: manyCodes, verify: webhookCodes }[kind][language] ?? '';
  const secret = free ? info.testSecret : info.secret;
  const code = sample.replaceAll(info.secret, secret);
  // While the secret is hidden in its field it is hidden here too; copying includes it.
  const visible = shown ? code : code.replaceAll(secret, '•'.repeat(secret.length));
  return (
    <Panel title={t('integration.sample_code')}>
      <div className={classes.bar}>
        <NativeSelect
          className={classes.language}
          label={t('integration.language')}
          data={languages}
          value={language}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <SegmentedControl
          className={classes.purpose}
          withItemsBorders={false}
          aria-label={t('integration.purpose')}
          data={[
            { value: 'send', label: t('integration.purpose_send') },
            { value: 'many', label: t('integration.purpose_many') },
            { value: 'verify', label: t('integration.purpose_verify') },
          ]}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
        />
        {kind !== 'verify' && (
          <Switch
            className={classes.free}
            label={t('integration.with_test_secret')}
            checked={free}
            onChange={({ currentTarget }) => setFree(currentTarget.checked)}
          />
        )}
        <Button
          className={classes.copy}
          variant="default"
          leftSection={
            copied ? <IconCheck size={18} aria-hidden="true" /> : <IconCopy size={18} aria-hidden="true" />
          }
          onClick={() => (info.masked ? onUnmask() : copy(code))}
        >
          {copied ? t('integration.code_copied') : t('integration.copy_code')}
        </Button>
      </div>
      <CodeView language={language} code={visible} label={t('integration.code_of', { language })} />
      <p className={classes.hint}>
        {kind === 'verify' ? t('integration.verify_hint') : t('integration.send_hint')}{' '}
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {t('integration.docs')}
        </a>
      </p>
    </Panel>
  );
};
