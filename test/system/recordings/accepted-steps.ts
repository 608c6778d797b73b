import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type DifferenceKind, differenceKinds } from '../../conformance/accepted-differences.ts';
import type { EngineName } from './recorded-world.ts';
import type { StepOutcome } from './replay-scenario.ts';

/** An entry of `contract/recording-differences.yaml`, which says at its top how it is read. */
export interface AcceptedStepDifference {
  kind: DifferenceKind;
  what: string;
  why: string;
  /** Absent = on every engine. */
  engines?: EngineName[];
  /** Steps by scenario: `3`, `46..60`; each with the places that differ. */
  steps: Record<string, Record<string, string[]>>;
}

/** The places that may differ, by `scenario/step`. */
export type AcceptedSteps = Map<string, Set<string>>;

export function readAcceptedSteps(file: string): AcceptedStepDifference[] {
  const entries: unknown = parse(readFileSync(file, 'utf8')) ?? [];
  if (!Array.isArray(entries)) throw new Error(`${file}: a list is expected`);
  return entries.map((entry: Partial<AcceptedStepDifference>, index) => {
    const where = `${file}, entry ${index + 1}`;
    const { kind, what, why, steps, engines } = entry;
    if (!kind || !differenceKinds.includes(kind)) throw new Error(`${where}: kind is one of ${differenceKinds.join(', ')}`);
    if (typeof what !== 'string' || typeof why !== 'string' || typeof steps !== 'object')
      throw new Error(`${where}: what, why and steps are needed`);
    return { kind, what, why, steps, ...(engines ? { engines } : {}) };
  });
}

/** Among the places of a step: what is seen first is chance, so it need not differ at all of them. */
const maybe = 'maybe';

/** What is accepted on one engine; several entries may share a step. */
export function acceptedOn(engine: EngineName, entries: AcceptedStepDifference[]): AcceptedSteps {
  const accepted: AcceptedSteps = new Map();
  for (const { steps } of entries.filter(({ engines }) => engines === undefined || engines.includes(engine))) {
    for (const [scenario, places] of Object.entries(steps)) {
      for (const [range, listed] of Object.entries(places)) {
        for (const step of stepsOf(range)) {
          const name = `${scenario}/${step}`;
          accepted.set(name, new Set([...(accepted.get(name) ?? []), ...(listed ?? [])]));
        }
      }
    }
  }
  return accepted;
}

/** Sentences about steps of a scenario that differ and are not listed so, and about listings that no longer hold. */
export function complaints(outcomes: StepOutcome[], accepted: AcceptedSteps): string[] {
  return outcomes.flatMap((outcome) => {
    const { scenario, step, about, differences } = outcome;
    const listed = [...(accepted.get(`${scenario}/${step}`) ?? [])].sort();
    const places = placesOf(outcome);
    const isChance = listed.includes(maybe);
    if (listed.filter((place) => place !== maybe).join() === places.join() || (isChance && places.every((place) => listed.includes(place))))
      return [];
    const told = differences.map(({ place, expected, actual }) => `    ${place}: expected ${shown(expected)}, got ${shown(actual)}`);
    return [`${scenario}/${step} (${about}) differs at [${places}], listed is [${listed}]`, ...told];
  });
}

/** Where a step differs, down to the second level: deeper places are one there. */
export const placesOf = ({ differences }: StepOutcome): string[] =>
  [...new Set(differences.map(({ place }) => place.split('/').slice(0, 2).join('/')))].sort();

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300);

function stepsOf(range: string): string[] {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(range) ?? [];
  if (first === undefined || last === undefined) return [range];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index));
}
