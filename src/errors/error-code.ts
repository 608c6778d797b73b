/**
 * The public code of an error class: `ContainerNotFound` → `container.container-not-found`.
 * Origin: zun/common/exception.py, convert_excp_to_err_code (vectors: excp_to_err_code).
 */
export function errorCode(className: string): string {
  const words = className.match(/[A-Z]?[a-z]+|[A-Z]{2,}(?=[A-Z][a-z]|\d|\W|$)|\d+/g) ?? [];
  return `container.${words.join('-').toLowerCase()}`;
}
