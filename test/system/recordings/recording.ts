import { readFileSync } from 'node:fs';
import type { RecordedWebSocket } from './replay-websocket.ts';

export type Person = 'demo' | 'alt' | 'admin';

/** A request as it was sent; placeholders stand for ids, addresses and times. */
export interface RecordedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number>;
  json?: unknown;
  headers?: Record<string, string>;
}

export interface RecordedAnswer {
  status: number;
  headers: Record<string, string>;
  json?: unknown;
  text?: string;
}

/** One line of `contract/recordings/original.jsonl`; its README is the reference. */
export interface RecordedStep {
  scenario: string;
  step: number;
  about: string;
  as: Person;
  version?: string;
  request?: RecordedRequest;
  response?: RecordedAnswer;
  /** The step polled: what was seen and when, [seconds, status, …]. */
  waited?: { seconds: number; path: unknown[][]; path_is?: string };
  /** What the services beside Zun held. */
  outside?: Record<string, unknown>;
  websocket?: RecordedWebSocket;
}

export interface RecordedScenario {
  name: string;
  steps: RecordedStep[];
}

/** What is another word here, by scenario. */
const otherWords: Record<string, [string, string][]> = {
  // An address that begins like another was recorded as that one's placeholder and what was left of it.
  networks: [['{ip8}24"', '{ip80}"']],
  // The images were listed after the second commit, which comes later.
  commit: [['["rec-committed2:latest"]', '[]']],
  // The login of the test registry.
  registry: [
    ['"rec"', '"zun"'],
    ['"recpw"', '"secret"'],
  ],
  // An image of its own, that no container of another scenario uses while it is deleted.
  images: [['busybox', 'busybox-alone']],
};

function inThisWorld(line: string): string {
  const scenario = /"scenario":\s*"(?<name>[^"]+)"/.exec(line)?.groups?.name ?? '';
  return (otherWords[scenario] ?? []).reduce((text, [word, other]) => text.replaceAll(word, other), line);
}

/** The scenarios in the order of the file. */
export function readRecordings(file: string): RecordedScenario[] {
  const scenarios = new Map<string, RecordedStep[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const step: RecordedStep = JSON.parse(inThisWorld(line));
    scenarios.set(step.scenario, [...(scenarios.get(step.scenario) ?? []), step]);
  }
  return [...scenarios].map(([name, steps]) => ({ name, steps }));
}
