import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import controls from './controls.module.css';

interface CopyButtonProps {
  value: string;
  label: string;
  onCopied: () => void;
}

export const CopyButton = ({ value, label, onCopied }: CopyButtonProps) => {
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={label}
      title={label}
      onClick={() => {
        copy(value);
        onCopied();
      }}
    >
      <Icon size={19} aria-hidden="true" />
    </button>
  );
};
