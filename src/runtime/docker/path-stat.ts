import type { PathStat } from '../container-runtime.ts';

/** Go's os.ModeSymlink. */
const symbolicLink = 0x8000000;

/** Reads the `X-Docker-Container-Path-Stat` header (base64 of JSON). Podman names a target for what is no link too; Docker does not. */
export function pathStat(header: string): PathStat {
  const stat = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PathStat;
  return {
    name: stat.name,
    size: stat.size,
    mode: stat.mode,
    mtime: stat.mtime,
    linkTarget: Math.floor(stat.mode / symbolicLink) % 2 === 1 ? stat.linkTarget : '',
  };
}
