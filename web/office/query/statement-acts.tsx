import { Button, Checkbox } from '@mantine/core';
import { t } from '../../ground/i18n/translate.ts';
import classes from './query.module.css';

interface StatementActsProps {
  running: boolean;
  /** Whether a database is chosen. */
  placed: boolean;
  /** Whether no statement is written. */
  empty: boolean;
  onRun: () => void;
  onCancel: () => void;
  onExplain: () => void;
  onTidy: () => void;
  saveBookmark: () => void;
  saveAsNew: () => void;
  shared: boolean;
  setShared: (shared: boolean) => void;
}

const Key = ({ keys }: { keys: string }) => (
  <span aria-hidden="true" className={classes.key}>
    {keys}
  </span>
);

/** What can be done with the statement that is written. */
export const StatementActs = (props: StatementActsProps) => {
  const { running, placed, empty, shared, setShared } = props;
  return (
    <div className={classes.acts}>
      <Button onClick={props.onRun} disabled={!placed} loading={running}>
        {t('qf.run')}
        <Key keys="⌘⏎" />
      </Button>
      <Button variant="default" disabled={!running} onClick={props.onCancel}>
        {t('qf.cancel')}
      </Button>
      <Button variant="default" disabled={!placed || empty} onClick={props.onExplain}>
        {t('qf.explain')}
      </Button>
      <Button variant="default" disabled={empty} onClick={props.onTidy}>
        {t('qf.format')}
      </Button>
      <Button variant="default" onClick={props.saveBookmark}>
        {t('qf.bookmark_save')}
        <Key keys="⌘S" />
      </Button>
      <Button variant="default" onClick={props.saveAsNew}>
        {t('qf.bookmark_save_new')}
        <Key keys="⌘⇧S" />
      </Button>
      <Checkbox
        label={t('qf.share')}
        checked={shared}
        onChange={({ currentTarget }) => setShared(currentTarget.checked)}
      />
    </div>
  );
};
