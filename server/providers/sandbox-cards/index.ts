export { type SandboxOptions, sandboxCards } from './sandbox-cards.ts';
