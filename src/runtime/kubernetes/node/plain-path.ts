/** `a/b` for every way to write it: `/a/b`, `./a/b/`, `a//b`; '' for the root. Pure. */
export const plainPath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
