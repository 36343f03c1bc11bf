import { IconEye, IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import controls from '../controls.module.css';
import { CopyButton } from '../copy-button.tsx';
import { TextField } from './form-fields.tsx';
import classes from './secret-field.module.css';

interface SecretFieldProps {
  label: string;
  description: string;
  secret: string;
  /** Only its last characters are here: there is nothing to copy, and showing it asks for the password. */
  masked: boolean;
  shown: boolean;
  onToggle: () => void;
  show: string;
  hide: string;
  copy: string;
  onCopied: () => void;
  /** Beside it, such as a button that replaces it. */
  children: ReactNode;
}

/** The secret is hidden until the reader shows it; copying does not need to show it. */
export const SecretField = ({
  label,
  description,
  secret,
  masked,
  shown,
  onToggle,
  show,
  hide,
  copy,
  onCopied,
  children,
}: SecretFieldProps) => {
  const Icon = shown ? IconEyeOff : IconEye;
  const toggle = shown ? hide : show;
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
            {!masked && <CopyButton value={secret} label={copy} onCopied={onCopied} />}
          </>
        }
      />
      {children}
    </div>
  );
};
