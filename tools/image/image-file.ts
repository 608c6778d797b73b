/** One entry of an image's file system. */
export interface ImageFile {
  /** Absolute, without a slash at its end. */
  path: string;
  /** Permission bits. */
  mode: number;
  /** User and group; root where there is none. */
  owner?: number;
  content: { file: string } | { text: string } | 'directory';
}
