import { after, before } from 'node:test';
import { FaultsWorld } from './faults-world.ts';
import { whatIsKilled } from './killed.ts';
import { whatIsStuck } from './stuck.ts';
import { whatIsTampered } from './tampered.ts';

let world: FaultsWorld;
before(async () => {
  world = await FaultsWorld.open();
  await world.start('zun-compute-agent');
});
after(() => world?.close());

whatIsKilled(() => world);
whatIsTampered(() => world);
whatIsStuck(() => world);
