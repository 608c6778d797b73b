import type { Operation } from '../../../api/operation.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { capsuleView } from '../capsule-view.ts';
import { loadCapsule } from '../load-capsule.ts';

/** Shows a capsule and the containers in it from their rows: two queries, no call to a node. Origin: capsules.py (get_one). */
export function show(services: CapsuleServices): Operation {
  return {
    route: 'GET /v1/capsules/{capsule_ident}',
    async handle(request) {
      const whole = await loadCapsule(services, request, 'capsule:get');
      return { status: 200, body: capsuleView(services.policy, request, services.clock)(whole) };
    },
  };
}
