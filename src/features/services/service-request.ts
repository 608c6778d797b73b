import { schemaValidationError, zunServiceNotFound } from '../../errors/catalogue.ts';
import type { ServiceServices } from './service-services.ts';
import { type ServiceRow, updateService } from './service-store.ts';

export interface ServiceIdent {
  host: string;
  binary: string;
}

/** Which service is meant, from query or body. A missing or malformed one is refused (400), where the original answers 500. */
export function serviceIdent(params: Record<string, unknown>): ServiceIdent {
  return { host: textParameter(params, 'host'), binary: textParameter(params, 'binary') };
}

export function textParameter(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (value === undefined || value === null) throw schemaValidationError(`'${name}' is a required property`);
  if (typeof value !== 'string') throw schemaValidationError(`Invalid input for field '${name}': it is not a string`);
  return value;
}

/** Writes changes to the service; `ZunServiceNotFound` (404) when there is none. */
export async function changeService(
  { database, clock }: Pick<ServiceServices, 'database' | 'clock'>,
  { host, binary }: ServiceIdent,
  changes: Partial<Pick<ServiceRow, 'disabled' | 'disabled_reason' | 'forced_down'>>,
): Promise<void> {
  if (!(await updateService(database.queries, host, binary, changes, clock.now()))) throw zunServiceNotFound(binary, host);
}
