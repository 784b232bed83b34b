/** What a person may do in an account; each role may do all that the ones before it may. */
export const roles = ["viewer", "approver", "admin", "owner"] as const;

export type Role = typeof roles[number];
