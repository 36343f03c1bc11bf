import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import controls from '../controls.module.css';
import classes from './form-fields.module.css';

/** An error below the field is announced as soon as it appears. */
export const ANNOUNCED = { role: 'alert' };

export const TextField = (props: TextInputProps) => <TextInput size="md" errorProps={ANNOUNCED} {...props} />;

interface PasswordFieldProps extends TextInputProps {
  show: string;
  hide: string;
}

export const PasswordField = ({ show, hide, ...props }: PasswordFieldProps) => {
  const [visible, setVisible] = useState(false);
  const Icon = visible ? IconEyeOff : IconEye;
  const toggle = (
    <button
      type="button"
      className={controls.icon}
      aria-label={visible ? hide : show}
      title={visible ? hide : show}
      onClick={() => setVisible(!visible)}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
  return (
    <TextField
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightSection={toggle}
      rightSectionWidth={44}
      rightSectionPointerEvents="all"
      {...props}
    />
  );
};

export const SubmitButton = ({ sending, label }: { sending: boolean; label: string }) => (
  <Button type="submit" size="md" fullWidth loading={sending} className={classes.submit}>
    {label}
  </Button>
);
