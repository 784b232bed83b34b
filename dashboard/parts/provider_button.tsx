import { passwords, provider } from "../state.ts";
import { words } from "../words.ts";

/** Leads to the provider and then to `next`; nothing without a provider. */
export function ProviderButton({ next }: { next: string }) {
  if (provider === "") return null;
  return (
    <a
      class={`button full ${passwords ? "" : "primary"}`}
      href={`/api/auth/oidc?${new URLSearchParams({ next })}`}
    >
      {words.signIn.with(provider)}
    </a>
  );
}
