import type { ReactNode } from 'react';

/** Imports of pages, each under the name of the component that its file exports. */
export type NamedPages<T extends { [N in keyof T]: () => Promise<{ [K in N]: () => ReactNode }> }> = T;
