import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { ZunError } from '../errors/zun-error.ts';
import { checkedRestartPolicy, type RequestedRestartPolicy } from './restart-policy.ts';

interface Request {
  restart_policy?: RequestedRestartPolicy | null;
}

test('every recorded restart policy is completed or refused as by the original, and what crashed it is a 400', () => {
  for (const { in: given, out, error } of loadVectors<Request, Request>('check_for_restart_policy').cases) {
    const check = () => checkedRestartPolicy(given.restart_policy);
    if (!error) assert.deepEqual(check(), out?.restart_policy, JSON.stringify(given));
    else {
      assert.throws(check, (thrown) => {
        assert.ok(thrown instanceof ZunError && thrown.status === 400);
        if (error.class === 'InvalidValue') assert.equal(thrown.message, error.message);
        return true;
      });
    }
  }
});
