import { Fragment, type ReactNode } from 'react';

/** A text whose placeholders are elements, such as links: each language puts them where it needs them. */
export const RichText = ({ text, parts }: { text: string; parts: Record<string, ReactNode> }) =>
  text
    .split(/\{\{(\w+)\}\}/)
    .map((piece, index) => <Fragment key={piece}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>);
