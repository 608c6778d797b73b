/** Microversions are 1.x, so the minor number says it all. */
export type Minor = number;

export const minimumMinor: Minor = 1;
export const maximumMinor: Minor = 40;

export const versionText = (minor: Minor): string => `1.${minor}`;

/** `1.14` → 14; the tables of `contract/` write versions so. */
export function minorOf(text: string): Minor {
  return Number(text.slice(text.indexOf('.') + 1));
}
