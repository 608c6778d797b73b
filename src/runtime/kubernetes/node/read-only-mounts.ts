import type { Mount } from './containerd-messages.ts';

/**
 * The mounts of a snapshot such that nothing is written by looking at it, and that it may be in use meanwhile: an overlay's upper folder becomes the first
 * of its lower ones, since two overlays must not share an upper one. Pure.
 */
export function readOnlyMounts(mounts: Mount[]): Mount[] {
  return mounts.map((mount) => ({
    ...mount,
    options: mount.type === 'overlay' ? readOnlyOverlay(mount.options) : readOnly(mount.options),
  }));
}

function readOnlyOverlay(options: string[]): string[] {
  const held = (name: string) => options.find((option) => option.startsWith(`${name}=`))?.slice(name.length + 1);
  const upper = held('upperdir');
  if (upper === undefined) return options;
  const others = options.filter((option) => !/^(upperdir|workdir|lowerdir)=/.test(option) && option !== 'volatile');
  return [...others, `lowerdir=${[upper, held('lowerdir')].filter(Boolean).join(':')}`];
}

const readOnly = (options: string[]): string[] => [...options.filter((option) => option !== 'rw' && option !== 'ro'), 'ro'];
