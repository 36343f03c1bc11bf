/** How many pages are linked at the same time. */
const LINKS = 10;

export const pageCount = (total: number, pageSize: number): number =>
  Math.max(1, Math.ceil(total / pageSize));

/** The pages to link: ten around the one that is open, or all if there are fewer. */
export const pageLinks = (page: number, pages: number): number[] => {
  const first = Math.max(1, Math.min(page - Math.floor(LINKS / 2), pages - LINKS + 1));
  return Array.from({ length: Math.min(LINKS, pages) }, (_, n) => first + n);
};
