import { invalidParamInVersion } from '../errors/catalogue.ts';
import { minorOf, versionText } from './api-version.ts';
import type { ApiRequest } from './operation.ts';

/** Refuses a parameter that the negotiated version does not have yet (400). Origin: zun/api/utils.py (version_check). */
export function requireVersion(request: Pick<ApiRequest, 'version'>, param: string, minimum: string): void {
  if (request.version < minorOf(minimum)) throw invalidParamInVersion(param, versionText(request.version), minimum);
}
