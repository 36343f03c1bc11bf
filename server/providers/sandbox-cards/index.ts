export { sandboxCards } from './sandbox-cards.ts';
