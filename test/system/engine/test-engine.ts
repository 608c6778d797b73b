import type { EngineTarget } from '../../../src/runtime/docker/engine-target.ts';

/** A real engine that belongs to one test file. */
export interface TestEngine {
  target: EngineTarget;
  /** Its containers are gone, its processes too, its files deleted. */
  close(): Promise<void>;
}
