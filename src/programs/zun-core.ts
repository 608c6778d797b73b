import { openapiOperation, openapiRoute } from '../api/openapi/openapi-operation.ts';
import type { RouteRow } from '../api/operation.ts';
import { type PipelineOptions, pipeline } from '../api/pipeline/pipeline.ts';
import { Router } from '../api/router.ts';
import { apiServer } from '../api/server.ts';
import { rootDocument, versionDocument } from '../api/version-documents.ts';
import { actionsOperations } from '../features/actions/actions-operations.ts';
import { availabilityZonesOperations } from '../features/availability-zones/availability-zones-operations.ts';
import type { CapsuleServices } from '../features/capsules/capsule-services.ts';
import { capsulesOperations } from '../features/capsules/capsules-operations.ts';
import { capsuleSagas } from '../features/capsules/sagas/capsule-sagas.ts';
import { capsuleTemplateCheck } from '../features/capsules/template-schema.ts';
import { containerOperations } from '../features/containers/container-operations.ts';
import { containerSagas } from '../features/containers/sagas/container-sagas.ts';
import { hostsOperations } from '../features/hosts/hosts-operations.ts';
import { imagesOperations } from '../features/images/images-operations.ts';
import { imageSagas } from '../features/images/sagas/image-sagas.ts';
import { networksOperations } from '../features/networks/networks-operations.ts';
import { quotasOperations } from '../features/quotas/quotas-operations.ts';
import { registriesOperations } from '../features/registries/registries-operations.ts';
import { registryCredentials } from '../features/registries/registry-credentials.ts';
import { hostLosses } from '../features/services/host-losses.ts';
import { servicesOperations } from '../features/services/services-operations.ts';
import { sandboxImage } from '../local/sandbox-image/sandbox-image.ts';
import { defaultPolicies } from '../policy/default-policies.ts';
import { LivePolicy } from '../policy/live-policy.ts';
import { PolicyFile } from '../policy/policy-file.ts';
import { databaseHostSource } from '../scheduling/host-source.ts';
import { filterScheduler } from '../scheduling/scheduler.ts';
import type { StateSync } from '../sync/state-sync.ts';
import { ActionLog } from '../tasks/action-log.ts';
import { LeaseGuard } from '../tasks/lease-guard.ts';
import type { Saga } from '../tasks/saga.ts';
import { TaskSignal } from '../tasks/task-signal.ts';
import { TaskStore } from '../tasks/task-store.ts';
import { startWorker, type Worker } from '../tasks/worker.ts';
import { RequestScope } from '../telemetry/request-scope.ts';
import { compileSchemas } from '../validation/compile-schemas.ts';
import { contractFile, contractSchemas } from './contract-file.ts';
import { type Candidate, startSync } from './start-sync.ts';
import { withDeadlines } from './with-deadlines.ts';
import { withLeases } from './with-leases.ts';
import type { ZunParts } from './zun-parts.ts';

export interface ZunCore {
  /** Serves requests through the pipeline; not listening yet. */
  server: ReturnType<typeof apiServer>;
  services: CapsuleServices;
  sagas: ReadonlyMap<string, Saga>;
  startWorker(owner: string): Worker;
  /** Without a candidate there is no other process that does it. */
  startSync(candidate?: Candidate): StateSync;
}

/** Puts the parts together: the only place where features, queue and edge meet. */
export async function zunCore(chosen: ZunParts): Promise<ZunCore> {
  const leases = new LeaseGuard();
  const parts = withLeases(withDeadlines(chosen), leases);
  const { settings, database, clock, ids, logger, observers, scope = new RequestScope() } = parts;
  const policyFile = new PolicyFile(parts.policyFile, parts.policyRules ?? defaultPolicies(contractFile('policies.json')), (problem) =>
    logger.error({ problem }, 'policy file'),
  );
  const policy = await LivePolicy.open(policyFile, clock);
  const tasks = new TaskStore(database, clock, ids, settings.worker.leaseSeconds * 1000);
  const actions = new ActionLog(clock);
  const taskSignal = new TaskSignal();
  const services: CapsuleServices = {
    ...parts,
    settings: settings.containers,
    consoles: settings.consoles,
    policy,
    tasks,
    actions,
    taskSignal,
    scheduler: schedulerOf(parts),
    registryCredentials: registryCredentials(database, parts.fernet),
    hostLosses: hostLosses(clock, settings.scheduler.serviceDownTimeSeconds),
    sandboxImage: sandboxImage(parts.runtime, parts.images),
    checkTemplateText: capsuleTemplateCheck(contractSchemas(), settings.limits),
  };
  const { routes }: { routes: RouteRow[] } = JSON.parse(contractFile('routes.json'));
  const openapi = openapiOperation({ routes, contract: contractSchemas(), limits: settings.limits });
  const operations = [...allOperations(parts, services), openapi];
  const edge: PipelineOptions = {
    ids,
    allowedOrigins: settings.api.allowedOrigins,
    authentication: { identity: parts.identity, policy, identityUrl: parts.identityUrl, publicPaths: settings.api.publicPaths, logger },
    router: new Router([...routes, openapiRoute], operations),
    schemas: compileSchemas(contractSchemas(), settings.limits),
    bodyLimits: { body: settings.api.bodyLimit, archive: settings.api.archiveLimit },
  };
  const server = apiServer({ steps: pipeline(edge), ids, logger, scope, onAnswered: observers?.onAnswered, ...settings.api });
  const sagas = new Map<string, Saga>(
    [...containerSagas(services), ...capsuleSagas(services), ...imageSagas(parts)].map((saga) => [saga.kind, saga as Saga]),
  );
  return {
    server,
    services,
    sagas,
    startWorker: (owner) =>
      startWorker({
        store: tasks,
        actions,
        sagas,
        signal: taskSignal,
        clock,
        ids,
        logger,
        scope,
        leases,
        owner,
        ...settings.worker,
        ...(observers ? { observer: observers.tasks } : {}),
      }),
    startSync: (candidate) => startSync(parts, services, candidate ?? null),
  };
}

function schedulerOf({ settings: { scheduler }, inventory, database, clock }: ZunParts) {
  return filterScheduler({
    inventory,
    hosts: databaseHostSource(database.queries),
    clock,
    enabledFilters: scheduler.enabledFilters,
    settings: {
      serviceDownTimeSeconds: scheduler.serviceDownTimeSeconds,
      defaultScheduleZone: scheduler.defaultScheduleZone,
      defaultAvailabilityZone: scheduler.defaultAvailabilityZone,
      enableCpuPinning: false,
    },
  });
}

function allOperations(parts: ZunParts, services: CapsuleServices) {
  const { database, clock, ids, fernet, settings } = parts;
  const { policy } = services;
  const maxLimit = settings.containers.maximumPageSize;
  const common = { database, policy, clock, ids, maxLimit };
  return [
    rootDocument,
    versionDocument,
    ...actionsOperations(services),
    ...availabilityZonesOperations(common),
    ...capsulesOperations(services),
    ...containerOperations(services),
    ...hostsOperations(common),
    ...imagesOperations({ ...common, ...services, settings: settings.containers }),
    ...networksOperations({ ...common, networking: parts.networking, host: settings.host }),
    ...quotasOperations({ ...common, configuredQuotas: settings.containers.quotaDefaults }),
    ...registriesOperations({ ...common, fernet }),
    ...servicesOperations({ ...common, ...settings.scheduler }),
  ];
}
