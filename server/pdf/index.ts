export { BLUE, BOTTOM, GREY, LEFT, makePdf, RIGHT, type Sheet, TOP } from './pdf-sheet.ts';
