export { openWorkshop, type Workshop } from './workshop.ts';
