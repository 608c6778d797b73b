import type { VersionCaller } from './version-caller.ts';

/** What a version promises, held against the whole API on a bench of its own; throws when it does not hold. */
export type VersionPromise = (api: VersionCaller) => Promise<void>;

/** Promises by version. */
export type Promises = Record<string, VersionPromise>;
