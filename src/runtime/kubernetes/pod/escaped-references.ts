/**
 * Text that the kubelet gives to the process as it is: it would put the value of a variable for `$(NAME)` in commands, arguments and
 * values of variables, and reads `$$` as `$` (Kubernetes' `third_party/forked/golang/expansion`). Pure.
 */
export const escapedReferences = (text: string): string => text.replaceAll('$', '$$$$');

/** The text before `escapedReferences`. */
export const withoutEscapes = (text: string): string => text.replaceAll('$$', '$');
