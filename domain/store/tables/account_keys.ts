/** The keys of accounts; the other files use them through `keys.ts`. */
type Key = Deno.KvKey;

/** An account: User. */
export const user = (userId: string): Key => ["users", userId];
export const users = (): Key => ["users"];
/** A person of an account: Member. */
export const member = (userId: string, memberId: string): Key => ["members", userId, memberId];
/** The person who logs in with this email: MemberRef. The table keeps its first name. */
export const memberByEmail = (emailLower: string): Key => ["users_by_email", emailLower];
/** The person who signs in by a subject of an identity provider, by the SHA-256 of issuer and subject: MemberRef. */
export const memberBySubject = (sha256: string): Key => ["members_by_subject", sha256];
export const allSubjects = (): Key => ["members_by_subject"];
/** Failed logins of an account (SHA-256 of its email, known or not) or of a client address. */
export const loginFailures = (kind: "account" | "address", sha256: string): Key => [
  "login_failures",
  kind,
  sha256,
];
/** From where an account logged in: KnownAddress[]. `sha256` is that of its email, as in `loginFailures`. */
export const loginAddresses = (sha256: string): Key => ["login_addresses", sha256];
/** A session of the dashboard: Session. */
export const session = (userId: string, sessionId: string): Key => ["sessions", userId, sessionId];
/** The sessions of a person that have not ended, oldest first: ListedSession[]. */
export const sessionList = (userId: string, memberId: string): Key => [
  "session_lists",
  userId,
  memberId,
];
/** Its key in schema version 3. */
export const formerSessionList = (userId: string): Key => ["session_lists", userId];
/** The session of an access token, by the SHA-256 of the token. */
export const sessionByAccess = (sha256: string): Key => ["sessions_by_access", sha256];
export const allAccessTokens = (): Key => ["sessions_by_access"];
export const allRefreshTokens = (): Key => ["sessions_by_refresh"];
/** The session of a refresh token, by the SHA-256 of the token. */
export const sessionByRefresh = (sha256: string): Key => ["sessions_by_refresh", sha256];
/** An API key without its secret: ApiKey. */
export const apiKey = (userId: string, keyId: string): Key => ["api_keys", userId, keyId];
export const apiKeys = (userId: string): Key => ["api_keys", userId];
/** A number that the account's live keys do not exceed: key_limit.ts. */
export const apiKeyBound = (userId: string): Key => ["api_key_bounds", userId];
/** The account and id of a key, by the SHA-256 of its secret. */
export const apiKeyByHash = (sha256: string): Key => ["api_keys_by_hash", sha256];
/** What a person allowed an app to do: Grant. */
export const grant = (userId: string, grantId: string): Key => ["grants", userId, grantId];
export const grants = (userId: string): Key => ["grants", userId];
/** The grant of an access token, by the SHA-256 of the token: AccessToken. */
export const grantByAccess = (sha256: string): Key => ["grants_by_access", sha256];
export const allGrantAccess = (): Key => ["grants_by_access"];
/** A code, for a minute; after its use the refresh tokens of its grant, by the SHA-256 of the secret that all of them have: Family. */
export const grantFamily = (sha256: string): Key => ["grant_families", sha256];
export const allGrantFamilies = (): Key => ["grant_families"];
/** A client of OAuth that registered itself: RegisteredClient. */
export const oauthClient = (clientId: string): Key => ["oauth_clients", clientId];
/** The registered clients that never had a grant, oldest first: when they registered. */
export const unusedClient = (clientId: string): Key => ["oauth_clients_unused", clientId];
export const unusedClients = (): Key => ["oauth_clients_unused"];
/** How many they are. */
export const unusedClientCount = (): Key => ["oauth_clients_unused_count"];
/** Their ids by the SHA-256 of the address that registered them, oldest first: string[]. */
export const unusedClientsOf = (sha256: string): Key => ["oauth_clients_by_address", sha256];
/** An invitation by the SHA-256 of its token: Invitation. */
export const invitation = (sha256: string): Key => ["invitations", sha256];
/** An invitation of a person to an account, by the SHA-256 of a token: InvitationToken. */
export const memberInvitation = (sha256: string): Key => ["member_invitations", sha256];
export const allMemberInvitations = (): Key => ["member_invitations"];
/** Whom an account invited last with an email, by its SHA-256: InvitedPerson. */
export const invited = (sha256: string, userId: string): Key => [
  "invited_by_email",
  sha256,
  userId,
];
export const invitedOf = (sha256: string): Key => ["invited_by_email", sha256];
export const allInvited = (): Key => ["invited_by_email"];
/** The times at which an account mailed invitations in the last day. */
export const invitationsMailed = (userId: string): Key => ["invitations_mailed", userId];
/** The newest invitation of the operator for an email, by its SHA-256: EmailInvitation. */
export const invitationByEmail = (sha256: string): Key => ["invitations_by_email", sha256];
/** A mailed link that confirms the address of a person, by the SHA-256 of its token: Confirmation. */
export const confirmation = (sha256: string): Key => ["confirmations", sha256];
export const allConfirmations = (): Key => ["confirmations"];
/** The times at which a person requested such links in the last hour. */
export const confirmationsAsked = (userId: string, memberId: string): Key => [
  "confirmations_asked",
  userId,
  memberId,
];
/** A link that sets a new password, by the SHA-256 of its token: Reset. */
export const passwordReset = (sha256: string): Key => ["password_resets", sha256];
export const allPasswordResets = (): Key => ["password_resets"];
/** The times at which such links were requested in the last hour, by the SHA-256 of the email, known or not. */
export const resetsAsked = (sha256: string): Key => ["password_resets_asked", sha256];
/** The calls of an account within up to 5 s: StoredEntries. The last part is the id of the newest of them. */
export const auditRow = (userId: string, auditId: string): Key => ["audit", userId, auditId];
export const auditRows = (userId: string): Key => ["audit", userId];
export const allAudits = (): Key => ["audit"];

/** Ids of grants begin with this, so that they can stand beside those of keys. */
export const grantIdPrefix = "grant_";
/** The row of a key or of a grant. */
export const issuer = (userId: string, id: string): Key =>
  id.startsWith(grantIdPrefix) ? grant(userId, id) : apiKey(userId, id);
