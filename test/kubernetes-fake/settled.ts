import { until } from '../system/engine/until.ts';

/** Looks at a figure until it has been the same, and not zero, ten times in a row. */
export async function settled(figure: () => number): Promise<void> {
  let last = 0;
  let same = 0;
  await until('it comes to rest', async () => {
    const now = figure();
    same = now === last && now !== 0 ? same + 1 : 0;
    last = now;
    return same === 10 ? true : null;
  });
}
