import { Icon } from "../../parts/icon.tsx";
import { useLoad } from "../../parts/load.ts";
import { Copy } from "../../parts/small.tsx";
import { emails } from "../../resources.ts";
import { words } from "../../words.ts";

/** Codes and links of a mail, to copy. Uncertain ones are left out. */
export function Finds({ emailId }: { emailId: string }) {
  const { data } = useLoad(() => emails.verification(emailId), [emailId]);
  if (!data || (data.best_code === null && data.best_link === null)) return null;
  const link = data.links.find(({ url }) => url === data.best_link);
  return (
    <ul class="finds" aria-label={words.finds.title}>
      {data.best_code !== null && (
        <li>
          <span class="muted">{words.finds.code}</span>
          <code class="find-code">{data.best_code}</code>
          <Copy bare text={data.best_code} label={words.finds.copyCode} />
        </li>
      )}
      {link && (
        <li>
          <Icon name="link" size={15} />
          <span class="muted">{words.finds.kinds[link.kind]}</span>
          <a href={link.url} target="_blank" rel="noopener noreferrer nofollow">{link.host}</a>
          <Copy bare text={link.url} label={words.finds.copyLink} />
        </li>
      )}
    </ul>
  );
}
