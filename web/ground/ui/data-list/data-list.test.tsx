import { MantineProvider } from '@mantine/core';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setTexts } from '../../i18n/translate.ts';
import type { Column } from './column.ts';
import { DataList, type DataListProps } from './data-list.tsx';
import type { ListQuery } from './list-query.ts';
import type { Selected } from './use-rows.ts';

/** Nothing depends on how fast the machine is. */
configure({ asyncUtilTimeout: 15_000 });

interface Fruit {
  id: string;
  name: string;
  weight: number;
}

const COLUMNS: Column<Fruit>[] = [
  {
    id: 'name',
    label: () => 'Name',
    cell: ({ name }) => name,
    value: ({ name }) => name,
    width: 10,
    sort: 'asc',
  },
  {
    id: 'weight',
    label: () => 'Weight',
    cell: ({ weight }) => weight,
    value: ({ weight }) => weight,
    width: 5,
    kind: 'number',
    sort: 'desc',
    choice: 'shown',
  },
  { id: 'link', label: () => 'Link', cell: () => <a href="#there">there</a>, width: 5, choice: 'hidden' },
];

const FRUIT: Fruit[] = [
  { id: 'a', name: 'apple', weight: 150 },
  { id: 'b', name: 'banana', weight: 120 },
  { id: 'c', name: 'cherry', weight: 8 },
];

const QUERY: ListQuery = {
  isPending: false,
  isError: false,
  isFetching: false,
  isPlaceholderData: false,
  error: null,
  refetch: () => {},
};

const show = (props: Partial<DataListProps<Fruit>> = {}) => {
  const list = (more: Partial<DataListProps<Fruit>>) => (
    <MantineProvider>
      <DataList
        name="fruit"
        label="Fruit"
        columns={COLUMNS}
        rows={FRUIT}
        rowId={({ id }) => id}
        empty="No fruit."
        failed="The fruit could not be loaded."
        panel={{ title: ({ name }) => `About ${name}`, content: ({ weight }) => <p>{weight} grams</p> }}
        {...props}
        {...more}
      />
    </MantineProvider>
  );
  const shown = render(list({}));
  return { again: (more: Partial<DataListProps<Fruit>>) => shown.rerender(list(more)) };
};

const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];
const names = () => rows().map((row) => row.querySelector('td:not([data-kind])')?.textContent);
const press = (key: string, target: Element = document.activeElement ?? document.body) =>
  fireEvent.keyDown(target, { key });

beforeEach(() => {
  setTexts({ 'lists.selected': '{{count}} selected', 'lists.select': 'Select row {{row}}' });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
});

test('a row opens beside the list; j and k go on; Escape closes and gives the focus back', async () => {
  show();
  fireEvent.click(screen.getByText('banana'));
  const panel = screen.getByRole('dialog', { name: 'About banana' });
  expect(panel).toBe(document.activeElement);
  expect(panel.textContent).toContain('120 grams');
  press('j');
  expect(screen.getByRole('dialog', { name: 'About cherry' })).toBe(panel);
  press('j');
  expect(screen.getByRole('dialog', { name: 'About cherry' })).toBe(panel);
  press('k');
  press('k');
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
  press('Escape');
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(rows()[0]));
});

test('arrows, Home and End go from row to row, and Enter opens one', async () => {
  show();
  expect(rows().map((row) => row.tabIndex)).toEqual([0, -1, -1]);
  rows()[0]?.focus();
  press('ArrowDown');
  await waitFor(() => expect(document.activeElement).toBe(rows()[1]));
  expect(rows().map((row) => row.tabIndex)).toEqual([-1, 0, -1]);
  press('End');
  await waitFor(() => expect(document.activeElement).toBe(rows()[2]));
  press('Enter');
  expect(screen.getByRole('dialog', { name: 'About cherry' })).toBeTruthy();
});

test('links, buttons and boxes in a row act by themselves', () => {
  localStorage.setItem('columns.fruit', '{"link":true}');
  show();
  fireEvent.click(screen.getAllByText('there')[0] as Element);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('keys that are typed into a field beside the list go nowhere else', () => {
  show({ panel: { title: ({ name }) => name, content: () => <input aria-label="note" /> } });
  fireEvent.click(screen.getByText('apple'));
  press('j', screen.getByLabelText('note'));
  expect(screen.getByRole('dialog', { name: 'apple' })).toBeTruthy();
});

test('a list that holds all its rows sorts them, each column by its natural order first', () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Weight' }));
  expect(names()).toEqual(['apple', 'banana', 'cherry']);
  expect(screen.getByRole('columnheader', { name: 'Weight' }).getAttribute('aria-sort')).toBe('descending');
  fireEvent.click(screen.getByRole('button', { name: 'Weight' }));
  expect(names()).toEqual(['cherry', 'banana', 'apple']);
  fireEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(names()).toEqual(['apple', 'banana', 'cherry']);
});

test('where the server sorts, a click asks for the other order and moves nothing', () => {
  const onSort = vi.fn();
  show({ sorting: { sort: 'name', order: 'asc' }, onSort });
  fireEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(onSort).toHaveBeenLastCalledWith({ sort: 'name', order: 'desc' });
  fireEvent.click(screen.getByRole('button', { name: 'Weight' }));
  expect(onSort).toHaveBeenLastCalledWith({ sort: 'weight', order: 'desc' });
  expect(names()).toEqual(['apple', 'banana', 'cherry']);
});

test('columns are chosen, and the choice is remembered; what else is stored there is ignored', () => {
  show();
  expect(screen.queryByRole('columnheader', { name: 'Link' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '[lists.columns]' }));
  fireEvent.click(screen.getByLabelText('Link'));
  fireEvent.click(screen.getByLabelText('Weight'));
  cleanup();
  show();
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Name', 'Link']);
  cleanup();
  localStorage.setItem('columns.fruit', '{"name":false,"weight":"no"');
  show();
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Name', 'Weight']);
});

const Selectable = () => {
  const [selected, setSelected] = useState<Selected>({});
  const chosen = Object.keys(selected).join();
  return (
    <MantineProvider>
      <DataList
        name="fruit"
        label="Fruit"
        columns={COLUMNS}
        rows={FRUIT}
        rowId={({ id }) => id}
        empty="No fruit."
        selection={{ selected, onSelect: setSelected, actions: <output>{chosen}</output> }}
      />
    </MantineProvider>
  );
};

test('rows are selected one by one, by the space bar and all at once; the bar says how many', () => {
  render(<Selectable />);
  fireEvent.click(screen.getByLabelText('Select row 2'));
  const bar = screen.getByRole('region', { name: '[lists.selection]' });
  expect(bar.textContent).toContain('1 selected');
  rows()[0]?.focus();
  press(' ');
  expect(within(bar).getByText('b,a')).toBeTruthy();
  fireEvent.click(within(bar).getByRole('button', { name: '[lists.select_all]' }));
  expect(bar.textContent).toContain('3 selected');
  fireEvent.click(within(bar).getByRole('button', { name: '[lists.clear]' }));
  expect(screen.queryByRole('region', { name: '[lists.selection]' })).toBeNull();
  fireEvent.click(screen.getByLabelText('[lists.select_all]'));
  expect(rows().every((row) => row.dataset.selected === 'true')).toBe(true);
});

test('loading, empty, failed and stale lists differ', () => {
  const { again } = show({ rows: [], query: { ...QUERY, isPending: true, isFetching: true } });
  expect(screen.queryByText('No fruit.')).toBeNull();
  expect(rows()).toHaveLength(0);
  expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
  again({ query: QUERY });
  expect(screen.getByText('No fruit.')).toBeTruthy();
  const refetch = vi.fn();
  const failing = { ...QUERY, isError: true, error: new Error('Not now.'), refetch };
  again({ query: failing });
  expect(screen.queryByText('No fruit.')).toBeNull();
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('The fruit could not be loaded.Not now.');
  fireEvent.click(within(alert).getByRole('button'));
  expect(refetch).toHaveBeenCalledTimes(1);
  // What was read before stays, and the reader is told that it is old.
  again({ rows: FRUIT, query: failing });
  expect(rows()).toHaveLength(3);
  expect(screen.getByRole('alert').textContent).toContain('[lists.stale]');
  again({ rows: FRUIT, query: { ...QUERY, isPlaceholderData: true } });
  expect(document.querySelector('[data-stale]')).toBeTruthy();
});

test('more rows are loaded on demand', () => {
  const fetchNextPage = vi.fn();
  show({ query: { ...QUERY, hasNextPage: true, fetchNextPage } });
  fireEvent.click(screen.getByRole('button', { name: '[layout.load_more]' }));
  expect(fetchNextPage).toHaveBeenCalledTimes(1);
});

test('of thousands of rows only those in sight are in the page, and each says its place', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ id: String(n), name: `fruit ${n}`, weight: n }));
  // The document has no layout, so the height of a row is given.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  show({ rows: many });
  await waitFor(() => expect(rows()[0]?.getAttribute('aria-rowindex')).toBe('2'));
  expect(rows().length).toBeLessThan(100);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('5001');
});

test('a row of a long list that a search leaves is the same element', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ id: String(n), name: `fruit ${n}`, weight: n }));
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  const { again } = show({ rows: many });
  await waitFor(() => expect(rows()[0]?.getAttribute('aria-rowindex')).toBe('2'));
  const [first] = rows();
  again({ rows: many.slice(0, 2) });
  expect(rows()).toHaveLength(2);
  expect(rows()[0]).toBe(first);
  again({ rows: many });
  expect(rows()[0]).toBe(first);
});

test('a list that scrolls by itself never has all cells of many rows in the page', async () => {
  const columns: Column<Fruit>[] = Array.from({ length: 25 }, (_, n) => ({
    id: `column-${n}`,
    label: () => `Column ${n}`,
    cell: ({ name }) => `${name} ${n}`,
    width: 10,
  }));
  const many = Array.from({ length: 120 }, (_, n) => ({ id: String(n), name: `fruit ${n}`, weight: n }));
  const cells = () => document.querySelectorAll('td').length;
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  show({ columns, rows: many, boxed: true });
  expect(cells()).toBeLessThanOrEqual(600);
  await waitFor(() => expect(rows()[0]?.getAttribute('aria-rowindex')).toBe('2'));
  expect(cells()).toBeLessThanOrEqual(600);
  cleanup();
  // Few rows are all there, with all their cells.
  show({ columns, rows: many.slice(0, 100), boxed: true });
  expect(cells()).toBe(2_500);
});

test('rows that pass by fast show what stays in sight, and all of it as soon as they can be read', async () => {
  const columns: Column<Fruit>[] = Array.from({ length: 5 }, (_, n) => ({
    id: `column-${n}`,
    label: () => `Column ${n}`,
    cell: ({ name }) => `${name} ${n}`,
    width: 10,
    ...(n === 0 && { pinned: true }),
  }));
  const many = Array.from({ length: 1_000 }, (_, n) => ({ id: String(n), name: `fruit ${n}`, weight: n }));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  show({ columns, rows: many, boxed: true });
  await waitFor(() => expect(rows()[0]?.getAttribute('aria-rowindex')).toBe('2'));
  const box = document.querySelector('table')?.parentElement as HTMLElement;
  const scrollTo = (row: number) => {
    box.scrollTop = row * 40;
    fireEvent.scroll(box);
  };
  scrollTo(100);
  // One leap alone, such as that of a key.
  expect(screen.getByText('fruit 105 4')).toBeTruthy();
  scrollTo(200);
  expect(screen.getByText('fruit 205 0')).toBeTruthy();
  expect(screen.queryByText('fruit 205 4')).toBeNull();
  scrollTo(201);
  expect(screen.getByText('fruit 205 4')).toBeTruthy();
  scrollTo(300);
  expect(screen.queryByText('fruit 305 4')).toBeNull();
  await waitFor(() => expect(screen.getByText('fruit 305 4')).toBeTruthy());
});

test('of many columns only those in sight are in the page, each in its place', async () => {
  const columns: Column<Fruit>[] = Array.from({ length: 40 }, (_, n) => ({
    id: `column-${n}`,
    label: () => `Column ${n}`,
    cell: ({ name }) => `${name} ${n}`,
    width: 10,
  }));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  show({ columns, boxed: true });
  await waitFor(() => expect(rows()[0]?.querySelectorAll('td').length).toBeLessThan(20));
  expect(screen.getAllByRole('columnheader')).toHaveLength(40);
  const box = document.querySelector('table')?.parentElement as HTMLElement;
  box.scrollLeft = 20 * 172;
  fireEvent.scroll(box);
  await waitFor(() => expect(screen.getByText('apple 20')).toBeTruthy());
  expect(screen.queryByText('apple 0')).toBeNull();
  const cell = screen.getByText('apple 20');
  expect([cell.getAttribute('aria-colindex'), cell.style.gridColumn]).toEqual(['21', '21']);
  // A second list has its code already, and is shown at once.
  cleanup();
  show({ columns, boxed: true });
  expect(await screen.findByText('apple 0')).toBeTruthy();
});
