import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ComponentProps, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';

/** The rows that are in the page. */
export interface Shown {
  first: number;
  last: number;
  /** Whether there are others. */
  partly: boolean;
  /** Where heights differ, tells the height of a row. */
  measure?: (element: HTMLTableRowElement | null) => void;
}

export interface VirtualRowsProps {
  count: number;
  /** In pixels; of a row that was not measured yet where heights differ. */
  rowHeight: number;
  /** Whether all rows have that height: measuring each would cost most of the time of scrolling. */
  even: boolean;
  holder: RefObject<HTMLElement | null>;
  body: ComponentProps<'tbody'>;
  /** Is given a function that scrolls to a row. */
  scrollTo: RefObject<((index: number) => void) | undefined>;
  children: (index: number, shown: Shown) => ReactNode;
}

/** Rows beyond the window, so that scrolling shows no gaps. */
const OVERSCAN = 6;

type RowsProps<Scroller extends Element | Window> = Pick<
  VirtualRowsProps,
  'even' | 'body' | 'scrollTo' | 'children'
> & {
  virtualizer: Virtualizer<Scroller, HTMLTableRowElement>;
};

const Rows = <S extends Element | Window>({ virtualizer, even, body, scrollTo, children }: RowsProps<S>) => {
  const items = virtualizer.getVirtualItems();
  const [head, tail] = [items[0], items.at(-1)];
  const before = head ? head.start - virtualizer.options.scrollMargin : 0;
  const after = tail
    ? virtualizer.getTotalSize() - (tail.end - virtualizer.options.scrollMargin)
    : virtualizer.getTotalSize();
  useLayoutEffect(() => {
    scrollTo.current = (index) => virtualizer.scrollToIndex(index, { align: 'center' });
  }, [scrollTo, virtualizer]);
  const shown = {
    first: head?.index ?? 0,
    last: tail?.index ?? 0,
    partly: true,
    measure: even ? undefined : virtualizer.measureElement,
  };
  return (
    <tbody {...body} data-even={even || undefined} style={{ paddingTop: before, paddingBottom: after }}>
      {items.map(({ index }) => children(index, shown))}
    </tbody>
  );
};

/** Keeps only the rows near the window in the page. */
export const PageRows = ({ count, rowHeight, holder, ...rest }: VirtualRowsProps) => {
  const [scrollMargin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const body = holder.current?.querySelector('tbody');
    if (body) setMargin(Math.round(body.getBoundingClientRect().top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin,
  });
  return <Rows virtualizer={virtualizer} {...rest} />;
};

/** Keeps only the rows near the visible part of a list that scrolls by itself in the page. */
export const BoxRows = ({ count, rowHeight, holder, ...rest }: VirtualRowsProps) => {
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => holder.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  return <Rows virtualizer={virtualizer} {...rest} />;
};
