/** The metrics that a program tells at this address as they are, `name{labels}` to value. */
export async function readMetrics(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(url)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}
