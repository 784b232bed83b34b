// How much of each header field is kept when a message is read, sent or stored. Lengths are UTF-16 units.

export const maxSubjectChars = 1_000;

/** Addresses of one field. */
export const maxAddresses = 200;
/** RFC 5321, section 4.5.3.1: 64 of local part, 255 of domain, the at sign. */
export const maxAddressChars = 320;
/** A longer display name is an attack or a mistake, and makes the header unreadable. */
export const maxNameChars = 200;

export const maxReferences = 100;
/** References and In-Reply-To together. */
export const maxReferencesChars = 9_000;
/** Of a reply, without its blanks and folds: the field has at most 2,000 bytes. Some relays refuse a header above 4,096. */
export const maxSentReferencesChars = 1_800;
