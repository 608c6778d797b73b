/** `YYYY-MM-DD HH:MM:SS`, with six digits of a second when there are any: Python's str() of a UTC datetime. */
export function viewTime(milliseconds: number | null): string | null {
  if (milliseconds === null) return null;
  const text = new Date(milliseconds).toISOString().replace('T', ' ');
  const fraction = text.slice(20, 23);
  return fraction === '000' ? text.slice(0, 19) : `${text.slice(0, 23)}000`;
}
