import { defaultSettings } from '../../src/config/settings.ts';

/** The bounds of the records: the original's defaults. */
export const recordedLimits = defaultSettings('api-host').limits;
