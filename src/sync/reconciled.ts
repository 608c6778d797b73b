/**
 * How bringing a row in line with the engine went: it is, or its task is at work, which may have asked the engine before what the event
 * told of; then it is looked at again.
 */
export type Reconciled = 'settled' | 'busy';
