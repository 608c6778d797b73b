import { after, before, describe } from 'node:test';
import { administration } from './administration.ts';
import { archives } from './archives.ts';
import { changes } from './changes.ts';
import { consoles } from './consoles.ts';
import { deletion } from './deletion.ts';
import { endurance } from './endurance.ts';
import { images } from './images.ts';
import { lifecycle } from './lifecycle.ts';
import { listing } from './listing.ts';
import { networks } from './networks.ts';
import { options } from './options.ts';
import { output } from './output.ts';
import { storage } from './storage.ts';
import { supervision } from './supervision.ts';
import { type EngineName, ZunSession } from './zun-session.ts';

const topics = [
  lifecycle,
  deletion,
  listing,
  output,
  archives,
  changes,
  consoles,
  options,
  supervision,
  storage,
  networks,
  images,
  administration,
  endurance,
];

/** Every topic of the CLI session on one `npm start` with the engine named. */
export function cliSession(engine: EngineName): void {
  describe(`npm start with ${engine}`, () => {
    let session: ZunSession;
    before(async () => {
      session = await ZunSession.open(engine);
    });
    after(async () => session?.close());
    for (const topic of topics) topic(() => session);
  });
}
