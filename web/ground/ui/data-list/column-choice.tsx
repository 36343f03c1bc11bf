import { Button } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { t } from '../../i18n/translate.ts';
import { useUnfolding } from '../use-unfolding.ts';
import type { Column } from './column.ts';
import classes from './column-choice.module.css';

export interface ColumnChoiceProps {
  columns: Pick<Column<never>, 'id' | 'label' | 'choice'>[];
  chosen: { id: string }[];
  onChoose: (id: string, shown: boolean) => void;
}

/** Lets the reader choose columns; the browser remembers the choice. */
export const ColumnChoice = ({ columns, chosen, onChoose }: ColumnChoiceProps) => {
  const { opened, holder, toggle, button } = useUnfolding();
  return (
    <div ref={holder} className={classes.choice}>
      <Button
        {...button}
        size="xs"
        variant="default"
        leftSection={<IconColumns3 size={15} aria-hidden="true" />}
        onClick={toggle}
      >
        {t('lists.columns')}
      </Button>
      {opened && (
        <fieldset className={classes.choices} aria-label={t('lists.columns')}>
          {columns
            .filter(({ choice }) => choice)
            .map(({ id, label }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={chosen.some((column) => column.id === id)}
                  onChange={({ currentTarget }) => onChoose(id, currentTarget.checked)}
                />
                {label()}
              </label>
            ))}
        </fieldset>
      )}
    </div>
  );
};
