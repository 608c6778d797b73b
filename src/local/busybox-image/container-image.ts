/**
 * An image held in memory. The bytes are the same for the same input, so that its digests are too.
 */
export interface ContainerImage {
  /** The image configuration, JSON, as OCI and Docker schema 2 define it. */
  config: Buffer;
  /** Uncompressed tars, the lowest first. */
  layers: Buffer[];
}
