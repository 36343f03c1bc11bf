import { IconCheck, IconCopy } from '@tabler/icons-react';
import controls from './controls.module.css';
import { useCopy } from './copy-text.ts';

interface CopyButtonProps {
  value: string;
  label: string;
  onCopied: () => void;
}

export const CopyButton = ({ value, label, onCopied }: CopyButtonProps) => {
  const { copy, copied } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={label}
      title={label}
      onClick={async () => {
        if (await copy(value)) onCopied();
      }}
    >
      <Icon size={19} aria-hidden="true" />
    </button>
  );
};
