/** The one of `names` that takes the fewest changes of a letter to become `name`; `null` where none is near. Swapped letters are two. */
export function nearestName(name: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = Math.max(3, Math.ceil(name.length / 2));
  for (const candidate of names) {
    const changes = changesBetween(name.toLowerCase(), candidate.toLowerCase());
    if (changes < fewest) [nearest, fewest] = [candidate, changes];
  }
  return nearest;
}

/** Levenshtein's distance, row by row. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const kept = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(kept, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
