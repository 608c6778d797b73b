/** stat(2)'s kinds of files. */
const unixKind = 0o170000;
const kinds = new Map<number, number>([
  // Directory, symbolic link, device, character device, named pipe, socket.
  [0o040000, 2 ** 31],
  [0o120000, 2 ** 27],
  [0o060000, 2 ** 26],
  [0o020000, 2 ** 26 + 2 ** 21],
  [0o010000, 2 ** 25],
  [0o140000, 2 ** 24],
]);
const setuid = [0o4000, 2 ** 23] as const;
const setgid = [0o2000, 2 ** 22] as const;
const sticky = [0o1000, 2 ** 20] as const;

/** stat(2)'s `st_mode` as Go's os.FileMode, which Docker sends. Pure. */
export function goFileMode(mode: number): number {
  const special = [setuid, setgid, sticky].reduce((sum, [unix, go]) => sum + ((mode & unix) === 0 ? 0 : go), 0);
  return (kinds.get(mode & unixKind) ?? 0) + special + (mode & 0o777);
}
