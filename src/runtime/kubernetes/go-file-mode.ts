/** stat(2)'s kinds of files. */
const unixKind = 0o170000;
const kinds: Record<number, number> = {
  9604: 2 ** 31, // directory
  21609: 2 ** 27, // symbolic link
  14406: 2 ** 26, // device
  4802: 2 ** 26 + 2 ** 21, // character device
  2401: 2 ** 25, // named pipe
  26411: 2 ** 24, // socket
};
const setuid = [0o4000, 2 ** 23] as const;
const setgid = [0o2000, 2 ** 22] as const;
const sticky = [0o1000, 2 ** 20] as const;

/** stat(2)'s `st_mode` as Go's os.FileMode, which Docker sends. Pure. */
export function goFileMode(mode: number): number {
  const special = [setuid, setgid, sticky].reduce((sum, [unix, go]) => sum + ((mode & unix) === 0 ? 0 : go), 0);
  return (kinds[mode & unixKind] ?? 0) + special + (mode & 0o777);
}
