import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { callerContext } from '../../../test/contract/operation-caller.ts';
import { requireExternalAllowed } from './require-external-allowed.ts';

const plain = { networkId: 'n', portId: null, fixedIpv4: null, fixedIpv6: null, preserveOnDelete: false };

test('an external network is for admins, as long as the policy says nothing else', () => {
  const requested = [plain, { ...plain, networkId: 'out', external: true }];
  assert.throws(() => requireExternalAllowed(defaultPolicy(), callerContext('demo'), requested), {
    name: 'ExternalNetworkAttachForbidden',
    status: 403,
    message: 'It is not allowed to create an interface on external network out',
  });
  requireExternalAllowed(defaultPolicy(), callerContext('admin'), requested);
  requireExternalAllowed(defaultPolicy(), callerContext('demo'), [plain]);
});
