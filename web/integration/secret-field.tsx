import { Button } from '@mantine/core';
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react';
import { t } from '../i18n/translate.ts';
import controls from '../ui/controls.module.css';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextField } from '../ui/form-fields.tsx';
import { toastSuccess } from '../ui/toast.ts';
import classes from './secrets.module.css';

interface SecretFieldProps {
  label: string;
  description: string;
  secret: string;
  /** Only its last characters are here: there is nothing to copy, and showing it asks for the password. */
  masked: boolean;
  shown: boolean;
  onToggle: () => void;
  onRotate: () => void;
}

/** The secret is hidden until the reader shows it; copying does not need to show it. */
export const SecretField = ({
  label,
  description,
  secret,
  masked,
  shown,
  onToggle,
  onRotate,
}: SecretFieldProps) => {
  const Icon = shown ? IconEyeOff : IconEye;
  const toggle = shown ? t('integration.hide', { name: label }) : t('integration.show', { name: label });
  return (
    <div className={classes.secret}>
      <TextField
        className={classes.field}
        label={label}
        description={description}
        type={shown || masked ? 'text' : 'password'}
        value={secret}
        readOnly
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        classNames={{ input: classes.input }}
        rightSectionWidth={88}
        rightSectionPointerEvents="all"
        rightSection={
          <>
            <button
              type="button"
              className={controls.icon}
              aria-label={toggle}
              title={toggle}
              onClick={onToggle}
            >
              <Icon size={20} aria-hidden="true" />
            </button>
            {!masked && (
              <CopyButton
                value={secret}
                label={t('integration.copy', { name: label })}
                onCopied={() => toastSuccess(t('integration.copied', { name: label }))}
              />
            )}
          </>
        }
      />
      <Button
        variant="default"
        leftSection={<IconRefresh size={18} aria-hidden="true" />}
        aria-label={t('integration.rotate_named', { name: label })}
        onClick={onRotate}
      >
        {t('integration.rotate')}
      </Button>
    </div>
  );
};
