import type { ImageFile } from './image-file.ts';

/** Who the programs run as: 65532 is what distroless images call nonroot. */
export const imageUser = 65_532;

/**
 * What a program expects of a system. Certificates of authorities are not among it: Node brings Mozilla's, and takes an operator's own from
 * the file that NODE_EXTRA_CA_CERTS names.
 */
export const systemFiles: ImageFile[] = [
  {
    path: '/etc/passwd',
    mode: 0o644,
    content: { text: `root:x:0:0:root:/:/bin/false\nzun:x:${imageUser}:${imageUser}:zun:/var/lib/zun:/bin/false\n` },
  },
  { path: '/etc/group', mode: 0o644, content: { text: `root:x:0:\nzun:x:${imageUser}:\n` } },
  { path: '/etc/nsswitch.conf', mode: 0o644, content: { text: 'hosts: files dns\n' } },
  { path: '/etc/zun', mode: 0o755, content: 'directory' },
  { path: '/tmp', mode: 0o1777, content: 'directory' },
  { path: '/var/lib/zun', mode: 0o700, owner: imageUser, content: 'directory' },
];
