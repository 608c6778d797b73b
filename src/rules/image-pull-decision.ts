/**
 * The pull policy in force: the one asked for, else `always`, whatever the tag.
 * Origin: zun/common/utils.py, get_image_pull_policy.
 */
export function imagePullPolicy(policy: string | null | undefined): string {
  return policy || 'always';
}

/**
 * Whether to pull. Policies are lower case: any other spelling (`Always`) does not pull.
 * Origin: zun/common/utils.py, should_pull_image.
 */
export function shouldPullImage(policy: string | null, present: boolean): boolean {
  return policy === 'always' || (policy === 'ifnotpresent' && !present);
}
