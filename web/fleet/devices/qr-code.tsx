import { create } from 'qrcode';
import { useMemo } from 'react';
import classes from './devices.module.css';

/** The white border that readers need around it, in modules. */
const QUIET = 4;

/** One square for each dark module, as the path of an SVG. */
const drawn = (text: string): { side: number; path: string } => {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const squares = Array.from(data).flatMap((dark, at) =>
    dark ? `M${(at % size) + QUIET} ${Math.floor(at / size) + QUIET}h1v1h-1z` : [],
  );
  return { side: size + 2 * QUIET, path: squares.join('') };
};

/** Dark on white in either colour scheme, because not every reader takes an inverted one. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { side, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};
