import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { type ClaimLimits, type ClaimRequest, requireClaim } from './resource-claim.ts';

interface Input extends ClaimRequest {
  resources: { cpu_used: number; mem_used: number; disk_used: number };
  limits: ClaimLimits | null;
}

test('a claim holds within the limits, and names every resource that is short', () => {
  const call = ({ resources, limits, ...request }: Input) => {
    const usage = { cpuUsed: resources.cpu_used, memUsed: resources.mem_used, diskUsed: resources.disk_used };
    requireClaim(request, usage, limits ?? {});
    return true;
  };
  assert.equal(replayVectors('claims', call), 6);
});
