/** One place where the answer is not the recorded one. */
export interface Difference {
  /** `status`, `header vary`, `body/host`, `rows of image`, `task`. */
  place: string;
  expected: unknown;
  actual: unknown;
}

export type RecordKind = 'exchange' | 'probe' | 'vector';

export interface Outcome {
  kind: RecordKind;
  /** `create-full`, `x061`, `parse_image_name/12`. */
  id: string;
  /** What was asked, for people. */
  title: string;
  /** The status of our answer; `null` for vectors. */
  status: number | null;
  differences: Difference[];
  /** The recorded answer is a defect of the original: a crash, or a 5xx on a client's mistake. */
  recordedDefect: boolean;
  /** It is, and ours is a proper one. */
  properRefusal: boolean;
}

/** Whether the record counts as met: the same answer, or a proper one where the original's is a defect. */
export const isMet = (outcome: Outcome): boolean => outcome.differences.length === 0 || outcome.properRefusal;
