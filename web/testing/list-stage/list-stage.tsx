import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import '../../ground/ui/global.css';
import '../../ground/ui/mantine-all.css';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { theme } from '../../ground/ui/theme.ts';

/** A list of any size without a server, for what is measured: ?rows=2000&columns=40&boxed=1. */
const asked = new URLSearchParams(location.search);
const numberOf = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise);

interface Row {
  id: string;
  place: number;
}

const TONES = ['good', 'wait', 'bad'] as const;

/** Kinds of cells that lists have, in turn. */
const CELLS: Column<Row>['cell'][] = [
  ({ id }) => <a href={`#${id}`}>{id}</a>,
  ({ place }) => <Tag tone={TONES[place % TONES.length] ?? 'plain'}>SUCCESS</Tag>,
  ({ place }) => `2026-11-16 10:${String(place % 60).padStart(2, '0')}:00`,
  ({ place }) => `Your parcel ${place} is out for delivery today between ten and noon.`,
];

const columns: Column<Row>[] = Array.from({ length: numberOf('columns', 8) }, (_, place) => ({
  id: `column-${place}`,
  label: () => `Column ${place}`,
  cell: CELLS[place % CELLS.length] as Column<Row>['cell'],
  width: 9,
  line: place < 2 ? 1 : undefined,
  sort: 'asc',
}));
const rows: Row[] = Array.from({ length: numberOf('rows', 2_000) }, (_, place) => ({
  id: `row-${place}`,
  place,
}));

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
createRoot(root).render(
  <MantineProvider theme={theme}>
    <DataList
      name="stage"
      label="A long list"
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      empty="Nothing"
      boxed={asked.has('boxed')}
      panel={{ title: ({ id }) => id, content: ({ id }) => id }}
    />
  </MantineProvider>,
);
