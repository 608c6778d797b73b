import type { ImageStore } from './image-store.ts';

/** The images of a node, where there are many; else those that there are. */
export function imagesOn(images: ImageStore, host: string | null): ImageStore {
  return (host === null ? undefined : images.on?.(host)) ?? images;
}
