import type { Edge } from './import-graph.ts';

/** The groups of modules that import each other in a circle (Tarjan's strongly connected components), each sorted. */
export function cycles(edges: readonly Edge[]): string[][] {
  const targets = Map.groupBy(edges, (edge) => edge.from);
  const order = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];

  function visit(module: string): number {
    const index = order.size;
    order.set(module, index);
    let lowest = index;
    stack.push(module);
    for (const { to } of targets.get(module) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, order.get(to) ?? lowest);
      if (to === module) found.push([module]);
    }
    if (lowest === index) {
      const group = stack.splice(stack.indexOf(module));
      if (group.length > 1) found.push(group.sort());
    }
    return lowest;
  }

  for (const { from } of edges) if (!order.has(from)) visit(from);
  return found;
}
