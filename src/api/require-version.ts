import { invalidParamInVersion } from '../errors/catalogue.ts';
import { minorOf, versionText } from './api-version.ts';
import { versionOfParameter } from './microversions.ts';
import type { ApiRequest } from './operation.ts';

/** Refuses a parameter of a route that the negotiated version does not have yet (400). Origin: zun/api/utils.py (version_check). */
export function requireVersion(request: Pick<ApiRequest, 'version'>, route: string, parameter: string): void {
  const minimum = versionOfParameter(route, parameter);
  if (request.version < minorOf(minimum)) throw invalidParamInVersion(parameter, versionText(request.version), minimum);
}
