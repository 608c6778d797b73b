import type { ContainerImage } from '../../../src/local/busybox-image/container-image.ts';
import { imageArchive } from '../../../src/local/busybox-image/image-archive.ts';
import type { EngineClient } from '../../../src/runtime/docker/engine-client.ts';

/** Puts an image into the engine's own store under `repository:tag`. */
export async function loadImage(engine: EngineClient, image: ContainerImage, reference: string): Promise<void> {
  const body = await imageArchive(image, [reference]);
  await engine.request({ method: 'POST', path: '/images/load', contentType: 'application/x-tar', body });
}
