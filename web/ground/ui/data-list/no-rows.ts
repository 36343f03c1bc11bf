/** Until there are rows: always the same list, so that nothing is drawn again because of it. */
export const NO_ROWS: never[] = [];
