import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { GAP, PADDING } from './column.ts';
import { remPixels } from './rem.ts';

/** A part of the columns, from the first to the last of them. */
export interface Across {
  first: number;
  last: number;
}

/** The rows that are in the page. */
export interface Shown {
  first: number;
  last: number;
  /** Whether there are others. */
  partly: boolean;
  /** The columns that are in the page; without it, all are. */
  across?: Across;
  /** The rows with all their cells, where others wait until the list is scrolled less fast; without it, all have. */
  filled?: { first: number; last: number };
  /** Where heights differ, tells the height of a row. */
  measure?: (element: HTMLTableRowElement | null) => void;
}

export interface VirtualRowsProps {
  count: number;
  /** In rem; of a row that was not measured yet where heights differ. */
  rowHeight: number;
  /** Whether all rows have that height: measuring each would cost most of the time of scrolling. */
  even: boolean;
  /** The least width of each column, in rem. */
  widths: number[];
  holder: RefObject<HTMLElement | null>;
  body: ComponentProps<'tbody'>;
  /** Is given a function that scrolls to a row. */
  scrollTo: RefObject<((index: number) => void) | undefined>;
  children: (index: number, shown: Shown) => ReactNode;
}

/** Rows beyond the window, so that scrolling shows no gaps. */
const OVERSCAN = 4;
const COLUMN_OVERSCAN = 2;
/** Somebody who scrolls past more rows than this at once does not read them. */
const READ_ROWS = 3;

type RowsProps<Scroller extends Element | Window> = Pick<
  VirtualRowsProps,
  'even' | 'body' | 'scrollTo' | 'children'
> & {
  virtualizer: Virtualizer<Scroller, HTMLTableRowElement>;
  across?: Across;
  filled?: Shown['filled'];
};

/** While the list is scrolled fast, only the rows that it had before: to fill those that pass by would slow it down. */
const useFilled = (virtualizer: Virtualizer<HTMLElement, HTMLTableRowElement>): Shown['filled'] => {
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const scrolling = virtualizer.isScrolling;
  const [seen, setSeen] = useState({ first, last, scrolling, filled: { first, last } });
  if (seen.first === first && seen.last === last && seen.scrolling === scrolling) return seen.filled;
  // A single jump, such as by a key, does not count as fast scrolling.
  const isFast = scrolling && seen.scrolling && Math.abs(first - seen.first) > READ_ROWS;
  const filled = isFast ? seen.filled : { first, last };
  setSeen({ first, last, scrolling, filled });
  return filled;
};

const Rows = <S extends Element | Window>(props: RowsProps<S>) => {
  const { virtualizer, across, filled, even, body, scrollTo, children } = props;
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
    across,
    // Rows must be complete before they are measured.
    filled: even ? filled : undefined,
    measure: even ? undefined : virtualizer.measureElement,
  };
  return (
    <tbody {...body} data-even={even || undefined} style={{ paddingTop: before, paddingBottom: after }}>
      {items.map(({ index }) => children(index, shown))}
    </tbody>
  );
};

/** Where the rows begin in the page. Asked only when something has another size: asking makes the browser lay out. */
const useTop = (holder: RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const body = holder.current?.querySelector('tbody');
      if (body) setTop(Math.round(body.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [holder]);
  return top;
};

/** Keeps only the rows near the window in the page. */
export const PageRows = ({ count, rowHeight, widths: _, holder, ...rest }: VirtualRowsProps) => {
  const scrollMargin = useTop(holder);
  const [rem] = useState(remPixels);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => rowHeight * rem,
    overscan: OVERSCAN,
    scrollMargin,
  });
  return <Rows virtualizer={virtualizer} {...rest} />;
};

/** The columns near the visible part of the list. */
const useAcross = ({
  widths,
  holder,
  rem,
}: Pick<VirtualRowsProps, 'widths' | 'holder'> & { rem: number }): Across => {
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    horizontal: true,
    count: widths.length,
    getScrollElement: () => holder.current,
    estimateSize: (index) => (widths[index] ?? 0) * rem,
    gap: GAP * rem,
    paddingStart: (PADDING / 2) * rem,
    overscan: COLUMN_OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  return useMemo(() => ({ first, last }), [first, last]);
};

/** Keeps only the rows and columns near the visible part of a list that scrolls by itself in the page. */
export const BoxRows = ({ count, rowHeight, widths, holder, ...rest }: VirtualRowsProps) => {
  const [rem] = useState(remPixels);
  // The box is known only once its rows are there.
  const [, lookAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(lookAgain, []);
  const across = useAcross({ widths, holder, rem });
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => holder.current,
    estimateSize: () => rowHeight * rem,
    overscan: OVERSCAN,
  });
  return <Rows virtualizer={virtualizer} across={across} filled={useFilled(virtualizer)} {...rest} />;
};
