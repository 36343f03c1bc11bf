import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The brass of the horn: every main action is filled with its fifth shade and lettered in ink. */
const brass: MantineColorsTuple = [
  '#fff8e8',
  '#fdeecb',
  '#f9dc98',
  '#f6ca66',
  '#f3b544',
  '#e2a02a',
  '#c18318',
  '#96640f',
  '#6f490b',
  '#4a3008',
];

const ink: MantineColorsTuple = [
  '#eef2fa',
  '#d9e1f0',
  '#b3c1de',
  '#8a9ec9',
  '#667fb6',
  '#4a66a3',
  '#36508a',
  '#263c6d',
  '#1b2c52',
  '#17233f',
];

/** Night blue instead of grey for the dark scheme. */
const dark: MantineColorsTuple = [
  '#e8ecf5',
  '#cbd3e3',
  '#a5b0c8',
  '#8491ad',
  '#46526f',
  '#303b58',
  '#1e2842',
  '#121a2e',
  '#0d1424',
  '#080d19',
];

const headingFont =
  '"Iowan Old Style", Charter, "Palatino Linotype", "Noto Serif HK", "Noto Serif CJK HK", "Songti TC", "Microsoft JhengHei", Georgia, serif';

export const theme = createTheme({
  primaryColor: 'brass',
  primaryShade: 4,
  autoContrast: true,
  colors: { brass, ink, dark },
  black: '#17233f',
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily:
    '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans HK", "Noto Sans CJK HK", "PingFang HK", "Microsoft JhengHei", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK HK", "DejaVu Sans Mono", monospace',
  headings: { fontFamily: headingFont, fontWeight: '600' },
  components: {
    // A header element would count as a second banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
  },
});
