/** Says of an object that was told to go which finalizers keep it, and what to do for whoever can do something about it. Pure. */
export function heldWords(what: string, finalizers: readonly string[], whatToDo = ' Whoever set them has to; then delete again.'): string {
  return `${what} was told to go and is still there: its finalizers ${finalizers.join(', ')} were not cleared.${whatToDo}`;
}
