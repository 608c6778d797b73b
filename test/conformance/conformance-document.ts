import { readFileSync } from 'node:fs';
import { type AcceptedDifference, type DifferenceKind, differenceKinds } from './accepted-differences.ts';
import type { Verdict } from './judge-outcomes.ts';
import type { RecordKind } from './outcome.ts';

/** What users notice of Pods; held by the tests of `test/kubernetes/`. */
const onKubernetes = readFileSync(new URL('../../contract/on-kubernetes.md', import.meta.url), 'utf8');

const headings: Record<DifferenceKind, string> = {
  defect: 'Defects of the original, not copied',
  node: 'The node side, which is replaced',
  other: 'Other',
};

/** `docs/CONFORMANCE.md` of a run over the contract's records. */
export function conformanceDocument(verdict: Verdict, accepted: AcceptedDifference[]): string {
  const lines = [
    '# Conformance',
    '',
    'What the records of the original (zun 18.0.0, in `contract/`) say, and what this service answers. Made by `npm run conformance -- --write`;',
    'do not edit. The accepted differences are in `contract/differences.yaml`.',
    '',
    '| records | replayed | as recorded, or answered properly where the original has a defect | otherwise |',
    '| --- | --- | --- | --- |',
    ...(['exchange', 'probe', 'vector'] as RecordKind[]).map((kind) => {
      const { met, total } = verdict.counts[kind];
      return `| ${kind}s | ${total} | ${met} | ${total - met} |`;
    }),
  ];
  for (const kind of differenceKinds) {
    const entries = accepted.filter((entry) => entry.kind === kind);
    if (entries.length === 0) continue;
    lines.push('', `## ${headings[kind]}`);
    for (const entry of entries) lines.push('', `### ${entry.what.trim()}`, '', entry.why.trim(), '', ...recordLines(entry, verdict));
  }
  lines.push('', onKubernetes.trim());
  return `${lines.join('\n')}\n`;
}

function recordLines(entry: AcceptedDifference, verdict: Verdict): string[] {
  return Object.keys(entry.records).map((name) => {
    const [first, ...others] = verdict.listed.get(name) ?? [];
    if (!first) return `- \`${name}\``;
    if (others.length > 0) return `- \`${name}\`: ${others.length + 1} records`;
    const status = first.differences.find(({ place }) => place === 'status');
    const change = status ? `${status.expected} there, ${status.actual} here` : first.differences.map(({ place }) => place).join(', ');
    return `- \`${name}\` ${code(first.title)}: ${change}`;
  });
}

const code = (title: string) => `\`${title.replaceAll('`', "'")}\``;
