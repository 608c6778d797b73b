/**
 * Whether an ident is looked up as a uuid instead of a name: any case, with or without hyphens, braces or `urn:uuid:`.
 * Origin: oslo.utils, uuidutils.is_uuid_like.
 */
export function isUuidLike(ident: string): boolean {
  const bare = ident
    .replaceAll('urn:', '')
    .replaceAll('uuid:', '')
    .replace(/^[{}]+|(?<![{}])[{}]+$/g, '')
    .replaceAll('-', '');
  return /^[0-9a-f]{32}$/i.test(bare);
}
