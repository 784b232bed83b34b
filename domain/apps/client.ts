/** An app that asks for access. Its name is a stranger's text, of at most 100 characters and one line. */
export interface Client {
  clientId: string;
  name: string;
  redirectUris: readonly string[];
}
