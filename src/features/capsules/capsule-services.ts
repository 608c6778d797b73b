import type { ContainerServices } from '../containers/container-services.ts';

/** What the capsules feature needs of the rest; composed in `programs/`. */
export interface CapsuleServices extends ContainerServices {
  /** Makes sure the node holds the image of sandboxes, and answers its reference. */
  sandboxImage(signal?: AbortSignal): Promise<string>;
  /** Checks a template that came as JSON text. Throws SchemaValidationError (400). */
  checkTemplateText(text: string): void;
}
