/** In UTF-16 units: PostgreSQL counts characters, of which some have two. */
export const unitsBefore = (sql: string, characters: number): number => {
  let units = 0;
  let left = characters;
  for (const character of sql) {
    if (left <= 0) break;
    left -= 1;
    units += character.length;
  }
  return units;
};
