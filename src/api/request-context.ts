/** Who asks, and under which request. Made by the authentication step; public routes have an anonymous one. */
export interface RequestContext {
  requestId: string;
  userId: string;
  userName: string;
  projectId: string;
  projectName: string;
  userDomainId: string;
  projectDomainId: string;
  roles: string[];
  /** What the policy rule `context_is_admin` says of the roles. */
  isAdmin: boolean;
}

export function anonymousContext(requestId: string): RequestContext {
  return {
    requestId,
    userId: '',
    userName: '',
    projectId: '',
    projectName: '',
    userDomainId: '',
    projectDomainId: '',
    roles: [],
    isAdmin: false,
  };
}
