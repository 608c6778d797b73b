import { ZunError } from '../errors/zun-error.ts';

/** The template breaks a rule that its schema can't say: 400, where the original's class has no status and the answer is 500. */
export const invalidCapsuleTemplate = (reason: string) => new ZunError('InvalidCapsuleTemplate', 400, reason);

/** A template sent as text that is no JSON. The original fails while it makes this sentence. */
export const failedParseStringToJson = (reason: string) =>
  new ZunError('FailedParseStringToJson', 400, `Failed parse string to json: ${reason}.`);
