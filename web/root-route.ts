import { createRootRoute } from '@tanstack/react-router';
import { LayoutFailure } from './pages/failure.tsx';
import { Root } from './pages/root.tsx';

export const root = createRootRoute({ component: Root, errorComponent: LayoutFailure });
