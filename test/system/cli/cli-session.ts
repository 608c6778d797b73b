import { after, before, describe } from 'node:test';
import { archives } from './archives.ts';
import { deletion } from './deletion.ts';
import { lifecycle } from './lifecycle.ts';
import { listing } from './listing.ts';
import { output } from './output.ts';
import { type EngineName, ZunSession } from './zun-session.ts';

const topics = [lifecycle, deletion, listing, output, archives];

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
