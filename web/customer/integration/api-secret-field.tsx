import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { SecretField } from '../../ground/ui/forms/secret-field.tsx';

type Field = ComponentProps<typeof SecretField>;
type ApiSecretProps = Pick<Field, 'label' | 'description' | 'secret' | 'masked' | 'shown' | 'onToggle'> & {
  onRotate: () => void;
};

/** A secret of the API, with the button that replaces it. */
export const ApiSecretField = ({ label: name, onRotate, ...field }: ApiSecretProps) => (
  <SecretField
    {...field}
    label={name}
    show={t('integration.show', { name })}
    hide={t('integration.hide', { name })}
    copy={t('integration.copy', { name })}
    onCopied={() => toastSuccess(t('integration.copied', { name }))}
  >
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden="true" />}
      aria-label={t('integration.rotate_named', { name })}
      onClick={onRotate}
    >
      {t('integration.rotate')}
    </Button>
  </SecretField>
);
