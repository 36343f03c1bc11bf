export { BLUE, BOTTOM, GREY, makePdf, RIGHT, type Sheet, TOP } from './pdf-sheet.ts';
