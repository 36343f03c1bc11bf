import { render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test } from 'vitest';
import { useFocusBack } from './use-focus-back.ts';

const List = ({ items }: { items: string[] }) => {
  const title = useRef<HTMLHeadingElement>(null);
  const focus = useFocusBack(title);
  return (
    <>
      <h2 ref={title} tabIndex={-1}>
        List
      </h2>
      {items.map((item) => (
        <button key={item} type="button" onClick={({ currentTarget }) => focus.remember(currentTarget)}>
          {item}
        </button>
      ))}
      <button type="button" onClick={focus.giveBack}>
        Close
      </button>
    </>
  );
};

const press = (name: string) => screen.getByRole('button', { name }).click();
const focused = () => document.activeElement?.textContent;

test('gives the focus back to the button that asked, or to the title once it is gone', () => {
  const { rerender } = render(<List items={['one', 'two']} />);
  press('one');
  press('Close');
  expect(focused()).toBe('one');
  rerender(<List items={['two']} />);
  expect(focused()).toBe('List');

  press('two');
  rerender(<List items={[]} />);
  press('Close');
  expect(focused()).toBe('List');
});
