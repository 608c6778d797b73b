/** Works off all of them, so many at a time; answers what each gave, in their order. The first failure is thrown, and no more are begun. */
export async function inParallel<T, R>(all: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const rest = all.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, one] of rest) {
      if (failed) return;
      answers[index] = await work(one).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}
