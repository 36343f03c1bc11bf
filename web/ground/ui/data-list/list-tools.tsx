import type { ReactNode } from 'react';
import { ColumnChoice, type ColumnChoiceProps } from './column-choice.tsx';
import classes from './data-list.module.css';

interface ListToolsProps extends ColumnChoiceProps {
  pages: ReactNode;
  tools: ReactNode;
}

/** The line above the rows: which pages there are, what can be done with the list, and the choice of columns. */
export const ListTools = ({ pages, tools, ...choice }: ListToolsProps) => {
  const optional = choice.columns.some((column) => column.choice);
  if (!pages && !tools && !optional) return null;
  return (
    <div className={classes.tools}>
      {pages}
      <span className={classes.space} />
      {tools}
      {optional && <ColumnChoice {...choice} />}
    </div>
  );
};
