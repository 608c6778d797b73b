/**
 * The public code of an error class: `ContainerNotFound` → `container.container-not-found`.
 * Origin: zun/common/exception.py, convert_excp_to_err_code (vectors: excp_to_err_code).
 */
export function errorCode(className: string): string {
  const kebab = className
    .replace(/([^A-Z0-9])([A-Z0-9])/g, '$1-$2')
    .replace(/([A-Z0-9]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
  return `container.${kebab}`;
}
