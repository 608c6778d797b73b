import type { Ids } from '../../telemetry/ids.ts';
import type { RequestSchemas } from '../../validation/compile-schemas.ts';
import type { Router } from '../router.ts';
import { argumentsStep } from './arguments.ts';
import { type AuthenticationOptions, authenticationStep } from './authentication.ts';
import { type BodyLimits, bodyStep } from './body.ts';
import { bodySchemaStep } from './body-schema.ts';
import { contentTypeStep } from './content-type.ts';
import { corsStep } from './cors.ts';
import { dispatchStep } from './dispatch.ts';
import type { PipelineStep } from './exchange.ts';
import { healthcheckStep } from './healthcheck.ts';
import { methodOverrideStep } from './method-override.ts';
import { parametersStep } from './parameters.ts';
import { querySchemaStep } from './query-schema.ts';
import { requestIdStep } from './request-id.ts';
import { routingStep } from './routing.ts';
import { versionStep } from './version.ts';

export interface PipelineOptions {
  ids: Ids;
  allowedOrigins: string[];
  authentication: AuthenticationOptions;
  router: Router;
  schemas: RequestSchemas;
  bodyLimits: BodyLimits;
}

/**
 * The order decides which error wins: 401 before 406, version before routing, content type before schemas,
 * schemas before policy (reverse specification, 2.1).
 */
export function pipeline(options: PipelineOptions): PipelineStep[] {
  return [
    healthcheckStep,
    corsStep(options.allowedOrigins),
    requestIdStep(options.ids),
    authenticationStep(options.authentication),
    methodOverrideStep,
    versionStep,
    routingStep(options.router),
    contentTypeStep,
    bodyStep(options.bodyLimits),
    parametersStep,
    querySchemaStep(options.schemas),
    bodySchemaStep(options.schemas),
    argumentsStep,
    dispatchStep,
  ];
}
