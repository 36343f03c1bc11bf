import { Skeleton } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import type { MessageView as View } from './message-view.tsx';

const MessageView = lazy(() =>
  import('./message-view.tsx').then((module) => ({ default: module.MessageView })),
);

/** Beside a list: its code is loaded when the first message is opened. */
export const LazyMessageView = (props: ComponentProps<typeof View>) => (
  <Suspense fallback={<Skeleton height={420} radius="md" />}>
    <MessageView {...props} />
  </Suspense>
);
